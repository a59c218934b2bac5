/** Time left until an instant: whole days, and the rest as "07:04:59". Null once it has passed. */
export function timeLeft(until: number, now: number): { days: number; clock: string } | null {
  const seconds = Math.floor((until - now) / 1000)
  if (!(seconds > 0)) return null
  const two = (figure: number) => String(figure).padStart(2, '0')
  const clock = [Math.floor(seconds / 3600) % 24, Math.floor(seconds / 60) % 60, seconds % 60].map(two).join(':')
  return { days: Math.floor(seconds / 86_400), clock }
}
