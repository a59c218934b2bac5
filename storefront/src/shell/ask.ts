/**
 * One call from the browser to the gateway, for the small scripts of pages that are made for everybody.
 * Throws when there is no answer; the page then works as it does without script.
 */
export async function ask<Data>(document: string, variables: Record<string, unknown> = {}, signal?: AbortSignal): Promise<Data> {
  const answer = await fetch('/graphql', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-requested-with': 'XMLHttpRequest' },
    body: JSON.stringify({ query: document, variables }),
    ...(signal && { signal }),
  })
  if (!answer.ok) throw new Error(`The gateway answered ${answer.status}`)
  const { data, errors } = (await answer.json()) as { data?: Data | null; errors?: { message: string }[] }
  if (!data || errors?.length) throw new Error(errors?.[0]?.message ?? 'The gateway answered nothing')
  return data
}
