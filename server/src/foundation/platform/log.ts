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
  { write: (line: string) => void out.write(withoutAddresses(line)) },
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
