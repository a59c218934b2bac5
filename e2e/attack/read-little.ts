import { request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { brotliDecompressSync } from 'node:zlib'

/** Connections that ask for large answers and hardly read them. */

export interface Reading {
  port: number
  host: string
  paths: readonly string[]
  /** Addresses of the readers, in turn. */
  from: readonly string[]
  /** Read nothing at all. */
  silent: number
  /** Send a hundred requests at once, and read nothing. */
  pipelining: number
  /** Read five kilobytes a second. */
  slow: number
  until: number
}

export interface Held {
  /** Connections that were opened, and those of them that the server had not closed in the end. */
  opened: number
  open: number
  bytesRead: number
}

const pipelined = 100
/** The shop keeps no more of one connection. */
const mostPipelined = 250
const tickMs = 100
/** Of a reader of five kilobytes a second. */
const bytesPerTick = 512

/** Opens them, a few at a time, and lets go of all of them in the end. */
export async function readLittle(reading: Reading): Promise<Held> {
  const { port, host, paths, from, silent, pipelining, slow, until } = reading
  const sockets: Socket[] = []
  let bytesRead = 0
  let opened = 0
  const closed = new Set<Socket>()
  const reading5KB: Socket[] = []
  for (let at = 0; at < silent + pipelining + slow && Date.now() < until; at++) {
    const text = `GET ${paths[at % paths.length]} HTTP/1.1\r\nhost: ${host}\r\nx-forwarded-for: ${from[at % from.length]}\r\n\r\n`
    const isPipelining = at >= silent && at < silent + pipelining
    const socket = connect({ port, host: '127.0.0.1' })
    socket.on('error', () => undefined).once('close', () => closed.add(socket))
    socket.once('connect', () => {
      opened++
      socket.write(isPipelining ? text.repeat(pipelined) : text)
    })
    // Without a listener for data nothing is taken from the kernel but what fills this buffer once.
    socket.pause()
    sockets.push(socket)
    if (at >= silent + pipelining) reading5KB.push(socket)
    if (at % 50 === 49) await sleep(20)
  }
  for (; Date.now() < until; await sleep(tickMs))
    for (const socket of reading5KB) bytesRead += (socket.read(Math.min(bytesPerTick, socket.readableLength)) as Buffer | null)?.length ?? 0
  const open = sockets.filter((socket) => !closed.has(socket) && !socket.connecting).length
  for (const socket of sockets) socket.destroy()
  return { opened, open, bytesRead }
}

/** How long it takes until each of so many silent connections is closed; those that live longer count as `maxMs`. */
export function timeUntilCut(
  { port, host, path, newAddress }: { port: number; host: string; path: string; newAddress: () => string },
  connections: number,
  maxMs: number,
): Promise<number[]> {
  const startedAt = performance.now()
  return Promise.all(
    Array.from(
      { length: connections },
      () =>
        new Promise<number>((resolve) => {
          const socket = connect({ port, host: '127.0.0.1' }).on('error', () => undefined)
          socket.once('connect', () =>
            // More than the buffers of both kernels hold, and than one address may ask for in a minute.
            socket.write(`GET ${path} HTTP/1.1\r\nhost: ${host}\r\nx-forwarded-for: ${newAddress()}\r\n\r\n`.repeat(mostPipelined)),
          )
          socket.pause()
          // A socket that reads nothing does not notice its end; it can still not be written to.
          const probing = setInterval(() => socket.write('\r\n'), 1000)
          const late = setTimeout(() => socket.destroy(), maxMs)
          socket.once('close', () => {
            clearInterval(probing)
            clearTimeout(late)
            resolve(performance.now() - startedAt)
          })
        }),
    ),
  )
}

/** A page as a phone on a bad line gets it, at five kilobytes a second; null if it arrives whole. */
export function readSlowly(
  port: number,
  host: string,
  path: string,
  from: string,
): Promise<{ problem: string | null; bytes: number; ms: number }> {
  const startedAt = performance.now()
  return new Promise((resolve) => {
    const parts: Buffer[] = []
    const told = (problem: string | null) =>
      resolve({ problem, bytes: parts.reduce((sum, part) => sum + part.length, 0), ms: performance.now() - startedAt })
    const headers = { host, 'x-forwarded-for': from, 'accept-encoding': 'br' }
    const call = request({ host: '127.0.0.1', port, path, agent: false, setHost: false, headers }, (answer) => {
      answer.pause()
      const reading = setInterval(() => {
        const part = answer.read(Math.min(bytesPerTick, answer.readableLength)) as Buffer | null
        if (part) parts.push(part)
      }, tickMs)
      answer.on('error', (error) => told(`${path}: ${error.message} after ${parts.length} parts`))
      answer.once('close', () => clearInterval(reading))
      answer.on('end', () => {
        const { statusCode = 0, headers: got } = answer
        const raw = Buffer.concat(parts)
        const text = got['content-encoding'] === 'br' ? brotliDecompressSync(raw).toString() : raw.toString()
        told(statusCode === 200 && text.includes('</html>') ? null : `${path}: ${statusCode} with ${raw.length} bytes`)
      })
    })
    call.on('error', (error) => told(`${path}: ${error.message}`))
    call.end()
  })
}
