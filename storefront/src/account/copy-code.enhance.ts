/** On one page alone, so its script is a file of its own. */
export function enhance(element: HTMLElement): void {
  void import('./offer-copy.ts').then(({ offerCopy }) => offerCopy(element))
}
