/** The sum of a list follows its ticks and quantities; the code is loaded with the first list that comes into view. */
export function enhance(element: HTMLElement): void {
  void import('./follow-sum.ts').then(({ followSum }) => followSum(element))
}
