import type { ServerResponse } from 'node:http'
import { senderSharesOf } from '#platform'
import { senderCounter } from '../../foundation/platform/connection-limits.ts'

/** Requests of each web process that the documents process works on or that wait there. */
const maxUnderWay = 64
/** Of one network, those included whose answers it has yet to read; an IPv6 line has no more with its whole /48. */
const maxPerNetwork = maxUnderWay / 4
const maxUnreadBytes = 32 * 2 ** 20

export interface DocumentPlace {
  /** Frees the place, as the answer is made; of the answers that wait for their readers the oldest are cut off beyond some megabytes. */
  leave(answerBytes: number): void
}

/** Places at the documents process. A place is free once the answer is made: how long it is read is up to the client. */
export function createDocumentPlaces({ most = maxUnderWay, mostUnread = maxUnreadBytes } = {}) {
  const networks = senderCounter()
  const unread = new Map<ServerResponse, number>()
  let underWay = 0
  let unreadBytes = 0

  const keepUnread = (response: ServerResponse, bytes: number) => {
    unread.set(response, bytes)
    unreadBytes += bytes
    for (const [oldest] of unread) {
      if (unreadBytes <= mostUnread) break
      forget(oldest)
      oldest.destroy()
    }
  }
  const forget = (response: ServerResponse) => {
    unreadBytes -= unread.get(response) ?? 0
    unread.delete(response)
  }

  return {
    most,
    /** A place until its answer is made or its client is gone; null when all are taken, or the network has its share. */
    take(address: string, response: ServerResponse): DocumentPlace | null {
      const shares = senderSharesOf(address).map(({ key }) => ({ key, factor: 1 }))
      if (underWay >= most || response.destroyed) return null
      if (networks.add(shares) > maxPerNetwork) {
        networks.remove(shares)
        return null
      }
      underWay++
      let isTaken = true
      const free = () => {
        if (isTaken) underWay--
        isTaken = false
      }
      response.once('close', () => {
        free()
        networks.remove(shares)
        forget(response)
      })
      return {
        leave: (bytes) => {
          free()
          if (!response.destroyed) keepUnread(response, bytes)
        },
      }
    },
  }
}
