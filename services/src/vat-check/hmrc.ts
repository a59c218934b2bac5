import { randomBytes } from 'node:crypto'
import type { Call, Reply } from './wire.ts'
import type { Register } from './register.ts'

const tokens = new Set<string>()

/** HMRC's "Check a UK VAT number" 2.0 and its token endpoint; null for other addresses. */
export function answerHmrc(call: Call, register: Register): Reply | 'slow' | null {
  if (call.path === '/oauth/token' && call.method === 'POST') return giveToken(call.body)
  const [, target = '', requester] = /^\/organisations\/vat\/check-vat-number\/lookup\/([^/]+)(?:\/([^/]+))?$/.exec(call.path) ?? []
  if (target === '' || call.method !== 'GET') return null
  if (call.headers.accept !== 'application/vnd.hmrc.2.0+json')
    return failed(406, 'ACCEPT_HEADER_INVALID', 'The accept header is missing or invalid')
  const bearer = /^Bearer (.+)$/.exec(call.headers.authorization ?? '')?.[1] ?? ''
  if (!tokens.has(bearer)) return failed(401, 'INVALID_CREDENTIALS', 'Invalid Authentication information provided')
  if (![target, requester ?? target].every((number) => /^(?:\d{9}|\d{12})$/.test(number)))
    return failed(400, 'INVALID_REQUEST', 'Invalid targetVrn - Vrn parameters should be 9 or 12 digits')
  switch (register.moodOf(`GB${target}`)) {
    case 'slow':
      return 'slow'
    case 'not-available':
      return failed(500, 'INTERNAL_SERVER_ERROR', 'Internal server error')
    case 'rate-limited':
      return failed(429, 'MESSAGE_THROTTLED_OUT', 'The request for the API is throttled as you have exceeded your quota.')
    case 'answers-html':
      return { status: 503, body: '<html><body>Service unavailable</body></html>' }
    case 'not-registered':
    case 'contradicts':
      return failed(404, 'NOT_FOUND', 'targetVrn does not match a registered company')
    case 'answers':
      return { status: 200, body: found(target, requester, register) }
  }
}

function found(target: string, requester: string | undefined, register: Register): object {
  const trader = register.find(`GB${target}`)
  const [line1 = '', ...rest] = (trader?.address ?? '').split(', ')
  const postcode = rest.pop() ?? ''
  const address = { line1, ...(rest[0] && { line2: rest[0] }), postcode, countryCode: 'GB' }
  return {
    target: { name: trader?.name ?? '', vatNumber: target, address },
    ...(requester && {
      requester,
      consultationNumber: randomBytes(5)
        .toString('hex')
        .replace(/^(...)(...)(.*)$/, '$1-$2-$3'),
    }),
    processingDate: new Date().toISOString(),
  }
}

function giveToken(body: string): Reply {
  const form = new URLSearchParams(body)
  const isRight = form.get('grant_type') === 'client_credentials' && form.get('client_id') && form.get('client_secret')
  if (!isRight) return { status: 401, body: { error: 'invalid_client', error_description: 'invalid client id or secret' } }
  const token = randomBytes(16).toString('hex')
  if (tokens.size > 1000) tokens.clear()
  tokens.add(token)
  return { status: 200, body: { access_token: token, token_type: 'bearer', expires_in: 14_400, scope: form.get('scope') ?? '' } }
}

function failed(status: number, code: string, message: string): Reply {
  return { status, body: { code, message } }
}
