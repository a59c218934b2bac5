import type { ApiDocument } from '@purlin/contract/document.ts'
import { errorsToLog, resultCode, type GatewayAnswer, type ResultCode } from '@purlin/contract/gateway.ts'
import { callApi, type Call } from './api-client.ts'
import { pageFacts } from './page-facts.ts'
import { authorized } from './session-client.ts'

/** Result of a failed call. Source: spec §8. */
export class CallFailure extends Error {
  readonly code: ResultCode
  constructor(code: ResultCode, message: string) {
    super(message)
    this.code = code
  }
}

export interface Asking extends Pick<Call, 'signal' | 'timeoutMs' | 'idempotencyKey'> {
  /** Accept partial data with errors. */
  acceptPartial?: boolean
  /** A query sent by GET, with its document's hash in the address. */
  prefersGet?: boolean
}

interface Answered extends GatewayAnswer {
  status: number
}

/** Sends one GraphQL document to the gateway, bypassing every cache. (R-587…R-595) */
async function post({ id }: ApiDocument<unknown, never>, variables: unknown, asking: Asking): Promise<Answered> {
  const { market, mode, version } = pageFacts()
  const request = { variables, extensions: { persistedQuery: { version: 1, sha256Hash: id } } }
  const query = Object.entries(request).map(([name, value]) => [name, JSON.stringify(value)])
  const answer = await callApi(asking.prefersGet ? `/graphql?${new URLSearchParams(query)}` : '/graphql', {
    ...asking,
    ...(!asking.prefersGet && { body: request }),
    headers: { 'client-name': 'storefront', 'client-version': version, market, channel: 'web', platform: mode },
  })
  const json = answer.headers.get('content-type')?.startsWith('application/json')
  if (!json)
    throw new CallFailure(answer.status === 504 ? 'GATEWAY_TIMEOUT_ERROR' : 'INTERNAL_ERROR', `The gateway answered ${answer.status}`)
  return { ...((await answer.json()) as GatewayAnswer), status: answer.status }
}

/** Data of a query; throws a CallFailure when there is none. */
export async function ask<Data, Variables>(
  document: ApiDocument<Data, Variables>,
  variables: Variables,
  asking: Asking = {},
): Promise<Data> {
  const { acceptPartial } = asking
  const answer = await authorized(
    () => post(document, variables, asking),
    ({ status, errors }) => status === 401 || (errors ?? []).some(({ extensions }) => extensions?.status === 401),
  ).catch((error: unknown) => {
    if (error instanceof DOMException && error.name === 'TimeoutError')
      throw new CallFailure('GATEWAY_TIMEOUT_ERROR', `${document.name}: timeout`)
    throw error
  })
  const code = resultCode(answer, { kind: 'query', ...(acceptPartial && { acceptPartial }) })
  for (const { message } of errorsToLog(answer.errors)) console.error(document.name, message)
  if (code !== 'OK') throw new CallFailure(code, answer.errors?.[0]?.message ?? code)
  return answer.data as Data
}
