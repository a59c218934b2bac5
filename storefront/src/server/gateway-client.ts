import { errorsToLog, resultCode, type GatewayAnswer, type GatewayExecute, type ResultCode } from '@purlin/contract/gateway.ts'
import type { PageLog } from '@purlin/web/pages-options.ts'
import type { GatewayClient } from '../shell/context.ts'

/** A call that failed, with the status its page is answered with. */
export class GatewayFailure extends Error {
  readonly code: ResultCode
  readonly status: number
  constructor(code: ResultCode, status: number, message: string) {
    super(message)
    this.name = 'GatewayFailure'
    this.code = code
    this.status = status
  }
}

const statusOf: Partial<Record<ResultCode, number>> = { GATEWAY_TIMEOUT_ERROR: 504, INTERNAL_ERROR: 500, NOT_FOUND: 404 }

interface ClientOptions {
  execute: GatewayExecute
  headers: Record<string, string>
  remoteAddress: string
  setCookies: string[]
  log: PageLog
  requestId: string
}

/** The gateway in the name of one request. */
export function createGatewayClient({ execute, headers, remoteAddress, setCookies, log, requestId }: ClientOptions): GatewayClient {
  async function call(
    document: string,
    variables: Record<string, unknown> | undefined,
    more: Record<string, string>,
  ): Promise<GatewayAnswer> {
    const answer = await execute({ query: document, ...(variables && { variables }), headers: { ...headers, ...more }, remoteAddress })
    setCookies.push(...(answer.setCookies ?? []))
    const errors = errorsToLog(answer.errors)
    if (errors.length > 0) log.error({ requestId, errors }, 'The gateway answered with errors')
    return answer
  }
  function checked(answer: GatewayAnswer, kind: 'query' | 'mutation') {
    const code = resultCode(answer, { kind })
    if (code === 'OK' || code === 'NO_CONTENT') return code
    // A status the gateway names (429, 503, 424) is the page's too.
    const named = answer.errors?.map((error) => error.extensions?.status).find((status) => status !== undefined)
    throw new GatewayFailure(code, named ?? statusOf[code] ?? 500, answer.errors?.[0]?.message ?? code)
  }
  return {
    async query<Data>(document: string, variables?: Record<string, unknown>) {
      const answer = await call(document, variables, {})
      checked(answer, 'query')
      return answer.data as Data
    },
    async mutate<Data>(document: string, variables?: Record<string, unknown>, { idempotencyKey }: { idempotencyKey?: string } = {}) {
      const answer = await call(document, variables, idempotencyKey ? { 'idempotency-key': idempotencyKey } : {})
      return checked(answer, 'mutation') === 'OK' ? (answer.data as Data) : null
    },
    async result<Data>(document: string, variables?: Record<string, unknown>) {
      const answer = await call(document, variables, {})
      return { ...answer, data: answer.data as Data | null, code: resultCode(answer, { kind: 'query' }) }
    },
  }
}
