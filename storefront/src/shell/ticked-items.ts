/** The ticked items of a list with their quantities, as its form will send them; a quantity that is no number is one piece. */
export function tickedIn(form: FormData): { offerId: string; quantity: number }[] {
  return form.getAll('take').flatMap((offerId) => {
    if (typeof offerId !== 'string') return []
    const typed = form.get(`quantities.${offerId}`)
    const quantity = typeof typed === 'string' && /^\s*\d{1,6}\s*$/.test(typed) ? Number(typed) : 1
    return [{ offerId, quantity: Math.max(1, quantity) }]
  })
}
