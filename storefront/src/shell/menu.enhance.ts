/** A menu that folds: Escape and a click beside it close it, and focus goes back to its button. */
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
    })
  }
  document.addEventListener('click', (event) => {
    for (const menu of menus) if (menu.open && !menu.contains(event.target as Node)) menu.open = false
  })
  // Where one returns to must be known to a form that was made for everybody.
  for (const back of element.querySelectorAll<HTMLInputElement>('input[data-back]')) back.value = location.pathname + location.search
}
