/**
 * Replaces the form of the password by the one that the page shows for a query, with the reason of a refusal at its field or
 * without. The page itself never shows a password again; the passwords typed so far are kept here.
 */
export async function renewCredentials(form: HTMLFormElement, search: string, isKept: boolean): Promise<void> {
  const page = new DOMParser().parseFromString(await (await fetch(location.pathname + search)).text(), 'text/html')
  const fresh = page.querySelector<HTMLFormElement>(`form#${form.id}`)
  if (!fresh) throw new Error('The page no longer has this form')
  const passwords = (of: HTMLFormElement) => of.querySelectorAll<HTMLInputElement>('input[type="password"]')
  const typed = isKept ? passwords(form) : []
  passwords(fresh).forEach((field, index) => (field.value = typed[index]?.value ?? ''))
  form.replaceWith(fresh)
  fresh.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
}
