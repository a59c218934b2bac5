const attribute = 'data-points'

/** Pick-up points appear in the form as soon as they are chosen and the postcode is known; without scripts the next page has them. */
export function offerPoints(form: HTMLFormElement): void {
  const places = [...form.querySelectorAll<HTMLElement>(`[${attribute}]`)]
  if (places.length === 0) return
  const status = document.createElement('p')
  status.className = 'hidden'
  status.setAttribute('role', 'status')
  form.append(status)
  let shown = ''
  let latest = 0

  const isChosen = () => form.querySelector('input[value="relay"][name^="delivery."]:checked') !== null
  const show = async (postcode: string) => {
    if (postcode === '' || postcode === shown) return
    const turn = ++latest
    const page = await fetch(`${location.pathname}?${new URLSearchParams({ near: postcode })}`)
    if (!page.ok || turn !== latest) return
    const fresh = new DOMParser().parseFromString(await page.text(), 'text/html')
    if (turn !== latest) return
    shown = postcode
    for (const place of places) {
      const chosen = place.querySelector<HTMLInputElement>('input[type="radio"]:checked')?.value ?? place.dataset['chosen']
      const isTyping = place.contains(document.activeElement)
      place.innerHTML = fresh.querySelector(`[${attribute}="${place.dataset['points']}"]`)?.innerHTML ?? ''
      const again = [...place.querySelectorAll<HTMLInputElement>('input[type="radio"]')].find(({ value }) => value === chosen)
      if (again && !again.disabled) again.checked = true
      if (isTyping) place.querySelector<HTMLElement>('[data-near]')?.focus()
    }
    status.textContent = places[0]?.querySelector('[data-points-found], [role]')?.textContent ?? ''
  }
  const follow = (postcode: string) => void show(postcode.trim()).catch(() => undefined)
  const box = form.elements.namedItem('postcode')
  const ofAddress = () => (box instanceof HTMLInputElement && isChosen() ? follow(box.value) : undefined)

  form.addEventListener('change', ({ target }) => {
    if (target === box || (target instanceof HTMLInputElement && target.value === 'relay')) ofAddress()
  })
  form.addEventListener('click', (event) => {
    const { target } = event
    if (!(target instanceof Element)) return
    const place = target.closest<HTMLElement>(`[${attribute}]`)
    if (target.closest('[data-near-search]')) {
      event.preventDefault()
      follow(place?.querySelector<HTMLInputElement>('[data-near]')?.value ?? '')
    }
    const pin = target.closest<SVGElement>('[data-pin]')?.dataset['pin']
    const radio = [...(place?.querySelectorAll<HTMLInputElement>('input[type="radio"]') ?? [])].find(({ value }) => value === pin)
    if (radio && !radio.disabled) radio.click()
  })
  form.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' || !(event.target instanceof HTMLInputElement) || !event.target.matches('[data-near]')) return
    event.preventDefault()
    follow(event.target.value)
  })
  ofAddress()
}
