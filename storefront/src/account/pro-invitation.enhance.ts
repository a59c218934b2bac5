/** On few pages, so its script is a file of its own. */
export function enhance(element: HTMLElement): void {
  void import('./decline-invitation.ts').then(({ offerToDecline }) => offerToDecline(element))
}
