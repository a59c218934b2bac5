import pino from 'pino'
import type { Log } from './scope.ts'
import { processSettings } from './settings.ts'

const { logLevel, part } = processSettings()
/** One JSON line per event on standard error; fields that may hold secrets are redacted by name. */
const logger = pino(
  {
    level: logLevel,
    base: { pid: process.pid, role: part },
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: ['password', '*.password', 'cookie', '*.cookie', 'authorization', '*.authorization', 'card', '*.card', 'headers', '*.headers'],
  },
  pino.destination({ dest: 2, sync: true }),
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
