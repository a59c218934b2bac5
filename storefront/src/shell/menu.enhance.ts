/** A collapsible menu: Escape and a click outside close it, and focus returns to its button. */
export function enhance(element: HTMLElement): void {
  const menus = [...element.querySelectorAll<HTMLDetailsElement>('details[data-menu]')]
  for (const menu of menus) {
    menu.addEventListener('keydown', (event) => {
      if (event.key !== 'Escape' || !menu.open) return
      menu.open = false
      menu.querySelector('summary')?.focus()
    })
    menu.addEventListener('toggle', () => {
      if (menu.open) for (const other of menus) if (other !== menu) other.open = false
      if (menu.open && menu.dataset['departments'] !== undefined) void import('./fill-menu.ts').then(({ fillMenu }) => fillMenu(menu))
    })
  }
  document.addEventListener('click', (event) => {
    for (const menu of menus) if (menu.open && !menu.contains(event.target as Node)) menu.open = false
  })
  // A form on a shared page must learn the return address from the browser.
  for (const back of element.querySelectorAll<HTMLInputElement>('input[data-back]')) back.value = location.pathname + location.search
}
