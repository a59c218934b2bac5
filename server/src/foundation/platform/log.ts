import pino from 'pino'
import type { Log } from './scope.ts'
import { processSettings } from './settings.ts'

const domain = /[\w-]{1,63}(?:\.[\w-]{1,63})+/y
const ofLocalPart = /[\w.+%-]/

/** Logs hold no personal data: an address in the message of somebody else's error is masked. */
export function withoutAddresses(line: string): string {
  let masked = ''
  let from = 0
  // In the address of a page the sign is written %40.
  for (const { index: at, 0: sign } of line.matchAll(/@|%40/g)) {
    if (at < from) continue
    let start = at
    while (start > from && at - start < 64 && ofLocalPart.test(line.charAt(start - 1))) start--
    domain.lastIndex = at + sign.length
    if (start === at || !domain.test(line)) continue
    masked += `${line.slice(from, start)}(address)`
    from = domain.lastIndex
  }
  return masked + line.slice(from)
}

const longNumber = /(?<![\w-])[2-6](?:(?:[ +-]|%20)?\d){12,18}(?![\w-])/g

/** A card number typed into the wrong field may be in an address or an error: what its check digit confirms is masked. */
export function withoutCards(line: string): string {
  return line.replaceAll(longNumber, (number) => (isCardNumber(number.replaceAll('%20', '')) ? '(card)' : number))
}

function isCardNumber(text: string): boolean {
  const digits = Array.from(text.replace(/\D/g, ''), Number).toReversed()
  const sum = digits.reduce((total, digit, at) => total + (at % 2 === 0 ? digit : digit * 2 > 9 ? digit * 2 - 9 : digit * 2), 0)
  return sum % 10 === 0
}

const pathToken = /(?<=\/|%2F)(?=[\w-]*[a-z])(?=[\w-]*[A-Z])[\w-]{24,}(?![\w-]|\.\w)/g

/** Links of mails open orders, lists and approvals by a token in their path: whoever reads the log must not be able to. */
export function withoutTokens(line: string): string {
  return line.replaceAll(pathToken, '(token)')
}

/** JSON escapes the first control characters; terminals obey others too, and some programs end a line at U+2028. */
export function withoutControls(line: string): string {
  return line.replace(/[\u007f-\u009f\u2028-\u202e\u2066-\u2069]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

const out = pino.destination({ dest: 2, sync: true })
const { logLevel, part } = processSettings()
/** One JSON line per event on standard error; fields that may hold secrets are redacted by name. */
const logger = pino(
  {
    level: logLevel,
    base: { pid: process.pid, role: part },
    timestamp: pino.stdTimeFunctions.isoTime,
    serializers: {
      // Postgres names the values of a row there.
      err: (error: Error) => ({ ...pino.stdSerializers.err(error), detail: undefined, where: undefined, parameters: undefined }),
    },
    redact: ['password', '*.password', 'cookie', '*.cookie', 'authorization', '*.authorization', 'card', '*.card', 'headers', '*.headers'],
  },
  { write: (line: string) => void out.write(withoutControls(withoutTokens(withoutCards(withoutAddresses(line))))) },
)

/** The log of this process; children carry fields of their own. */
export function logOf(fields: object = {}): Log {
  const child = Object.keys(fields).length ? logger.child(fields) : logger
  return {
    info: (more, message) => child.info(more, message),
    warn: (more, message) => child.warn(more, message),
    error: (more, message) => child.error(more, message),
  }
}

export const log = logOf()
