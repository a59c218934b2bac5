import type { ApiDocument } from '@purlin/contract/document.ts'

/**
 * One call from the browser to the gateway, for the small scripts of pages that are made for everybody.
 * Throws when there is no answer; the page then works as it does without script.
 */
export async function ask<Data, Variables>(
  { id }: ApiDocument<Data, Variables>,
  variables: Variables,
  signal?: AbortSignal,
): Promise<Data> {
  const answer = await fetch('/graphql', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-requested-with': 'XMLHttpRequest' },
    body: JSON.stringify({ variables, extensions: { persistedQuery: { version: 1, sha256Hash: id } } }),
    ...(signal && { signal }),
  })
  if (!answer.ok) throw new Error(`The gateway answered ${answer.status}`)
  const { data, errors } = (await answer.json()) as { data?: Data | null; errors?: { message: string }[] }
  if (!data || errors?.length) throw new Error(errors?.[0]?.message ?? 'The gateway answered nothing')
  return data
}
