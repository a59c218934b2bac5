/** Loads all values of a facet from the linked page; boxes ticked in the meantime stay ticked. */
export async function showAll(more: HTMLAnchorElement): Promise<void> {
  const facet = more.closest<HTMLDetailsElement>('[data-facet]')!
  const page = new DOMParser().parseFromString(await (await fetch(more.href)).text(), 'text/html')
  const all = page.querySelector(`[data-facet="${CSS.escape(facet.dataset.facet!)}"]`)
  if (!all) throw new Error('The page has no such facet')
  const ticked = new Set([...facet.querySelectorAll('input')].map(({ value, checked }) => `${value} ${checked}`))
  for (const box of all.querySelectorAll('input')) {
    if (ticked.has(`${box.value} ${!box.checked}`)) box.checked = !box.checked
  }
  const at = facet.querySelectorAll('label').length
  all.querySelector('summary')?.remove()
  facet.replaceChildren(facet.querySelector('summary')!, ...all.childNodes)
  facet.querySelectorAll('input')[at]?.focus()
}
