/** Loads suggestions at the first interaction with the search box: most visitors leave a page without one. */
export function enhance(element: HTMLElement): void {
  void import('./combobox.ts').then(({ combobox }) => {
    combobox(element)
    const field = element.querySelector('input')
    // Handles what was typed before the script was loaded.
    if (field && field === document.activeElement && field.value !== field.defaultValue)
      field.dispatchEvent(new Event('input', { bubbles: true }))
  })
}
