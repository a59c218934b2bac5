/** Checks the rows of a quick order while they are typed; the code is loaded with the page of the quick order alone. */
export function enhance(element: HTMLElement): void {
  void import('./follow-rows.ts').then(({ followRows }) => followRows(element))
}
