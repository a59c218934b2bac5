export function canShowMessages(): boolean {
  return 'PushManager' in window && 'serviceWorker' in navigator && 'Notification' in window
}
