/** A clock to the end of an operation; the page around it shows the date, with or without a script. */
export function enhance(element: HTMLElement): void {
  const clock = element.querySelector<HTMLElement>('[data-until]')
  if (clock) void import('./count-down.ts').then(({ countDown }) => countDown(clock))
}
