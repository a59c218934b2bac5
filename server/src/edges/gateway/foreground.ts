import type { IncomingMessage, ServerResponse } from 'node:http'

/** Requests under way that documents of strangers give way to. */
export interface Foreground {
  /** Counts a request until it has been answered. */
  enter(req: IncomingMessage, res: ServerResponse): void
  /** Counts this request no longer: it is a stranger's document itself. */
  leave(req: IncomingMessage): void
  underWay(): number
}

export function createForeground(): Foreground {
  const underWay = new Set<IncomingMessage>()
  return {
    enter: (req, res) => {
      underWay.add(req)
      res.once('close', () => underWay.delete(req))
    },
    leave: (req) => void underWay.delete(req),
    underWay: () => underWay.size,
  }
}
