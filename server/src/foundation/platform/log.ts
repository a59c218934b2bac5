import pino from 'pino'
import type { Log } from './scope.ts'

/** One JSON line per event on the standard error output; what may hold secrets is removed by name. */
const logger = pino(
  {
    // Tests provoke failures on purpose.
    level: process.env.LOG_LEVEL || (process.env.NODE_TEST_CONTEXT ? 'silent' : 'info'),
    base: { pid: process.pid, role: process.env.PURLIN_ROLE ?? 'shop' },
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
