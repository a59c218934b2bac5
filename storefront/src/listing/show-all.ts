/** Loads all values of a facet from the linked page; boxes ticked in the meantime stay ticked. */
export async function showAll(more: HTMLAnchorElement): Promise<void> {
  const facet = more.closest<HTMLDetailsElement>('[data-facet]')!
  const fieldset = facet.querySelector('fieldset')!
  const page = new DOMParser().parseFromString(await (await fetch(more.href)).text(), 'text/html')
  const all = page.querySelector(`[data-facet="${CSS.escape(facet.dataset.facet!)}"] fieldset`)
  if (!all) throw new Error('The page has no such facet')
  const ticked = new Set([...fieldset.querySelectorAll('input')].map(({ value, checked }) => `${value} ${checked}`))
  for (const box of all.querySelectorAll('input')) {
    if (ticked.has(`${box.value} ${!box.checked}`)) box.checked = !box.checked
  }
  const at = fieldset.querySelectorAll('label').length
  fieldset.replaceChildren(...all.childNodes)
  fieldset.querySelectorAll('input')[at]?.focus()
}
