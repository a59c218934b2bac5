import type { ApiDocument, VariablesOf } from '@purlin/contract/document.ts'
import {
  errorsToLog,
  resultCode,
  type GatewayAnswer,
  type GatewayExecute,
  type GatewayTakeUpload,
  type ResultCode,
} from '@purlin/contract/gateway.ts'
import type { PageLog } from '@purlin/web/pages-options.ts'
import type { GatewayClient } from '../shell/context.ts'

/** A failed call, with the status for its page. */
export class GatewayFailure extends Error {
  readonly code: ResultCode
  readonly status: number
  readonly retryAfterSeconds: number | undefined
  constructor(code: ResultCode, { status, retryAfter }: { status: number; retryAfter?: number | undefined }, message: string) {
    super(message)
    this.name = 'GatewayFailure'
    this.code = code
    this.status = status
    this.retryAfterSeconds = retryAfter
  }
}

const statusOf: Partial<Record<ResultCode, number>> = { GATEWAY_TIMEOUT_ERROR: 504, INTERNAL_ERROR: 500, NOT_FOUND: 404 }

interface ClientOptions {
  execute: GatewayExecute
  takeUpload?: GatewayTakeUpload | undefined
  headers: Record<string, string>
  remoteAddress: string
  setCookies: string[]
  log: PageLog
  requestId: string
}

/** The gateway on behalf of one request. */
export function createGatewayClient({
  execute,
  takeUpload,
  headers: given,
  remoteAddress,
  setCookies,
  log,
  requestId,
}: ClientOptions): GatewayClient {
  const headers = { ...given }
  /** A session started by one call is used by the next: the browser gets its cookie with the page. */
  function keepCookies(lines: readonly string[] = []): void {
    setCookies.push(...lines)
    for (const line of lines) headers['cookie'] = withCookie(headers['cookie'], line.split(';', 1)[0] ?? '')
  }
  async function call({ id, name }: ApiDocument<unknown, never>, variables: object = {}): Promise<GatewayAnswer> {
    const answer = await execute({ documentId: id, variables: { ...variables }, headers, remoteAddress })
    keepCookies(answer.setCookies)
    // A sender beyond a quota is the sender's affair, and a message may repeat what was sent.
    const errors = errorsToLog(answer.errors)
      .filter(({ extensions }) => extensions?.status !== 429)
      .map((error) => ({ ...error, message: error.message.slice(0, 300) }))
    if (errors.length > 0) log.error({ requestId, document: name, errors }, 'The gateway answered with errors')
    return answer
  }
  function checked(answer: GatewayAnswer, kind: 'query' | 'mutation') {
    // A page goes on without a system that the shop can do without, as long as it has anything else to show (decision 104).
    const acceptPartial = answer.errors?.every(({ extensions }) => extensions?.isOptional) ?? false
    const code = resultCode(answer, { kind, acceptPartial })
    if (code === 'OK' || code === 'NO_CONTENT') return code
    // A status set by the gateway (429, 503, 424) becomes the page's, too.
    const named = answer.errors?.map((error) => error.extensions?.status).find((status) => status !== undefined)
    const retryAfter = answer.errors?.map((error) => error.extensions?.retryAfter).find((seconds) => seconds !== undefined)
    throw new GatewayFailure(code, { status: named ?? statusOf[code] ?? 500, retryAfter }, answer.errors?.[0]?.message ?? code)
  }
  return {
    async query<Data, Variables extends object>(document: ApiDocument<Data, Variables>, ...[variables]: VariablesOf<Variables>) {
      const answer = await call(document, variables)
      checked(answer, 'query')
      return answer.data as Data
    },
    async mutate<Data, Variables extends object>(document: ApiDocument<Data, Variables>, ...[variables]: VariablesOf<Variables>) {
      const answer = await call(document, variables)
      return checked(answer, 'mutation') === 'OK' ? (answer.data as Data) : null
    },
    async upload(name, source) {
      if (!takeUpload) throw new Error('There is no gateway for uploads here')
      const { setCookies: lines, ...answer } = await takeUpload({ headers, remoteAddress, name, source })
      keepCookies(lines)
      return answer
    },
  }
}

/** A Cookie header with one cookie set. */
function withCookie(header: string | undefined, pair: string): string {
  const name = pair.slice(0, pair.indexOf('=') + 1)
  const others = (header ?? '').split(';').filter((each) => each.trim() !== '' && !each.trim().startsWith(name))
  return [...others.map((each) => each.trim()), pair].join('; ')
}
