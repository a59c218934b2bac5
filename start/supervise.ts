import { type ChildProcess, fork } from 'node:child_process'
import cluster from 'node:cluster'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { StartError, type WakeUp, log } from '@purlin/server/foundation/platform/index.ts'
import { serveQuotas } from '@purlin/server/foundation/platform/quotas.ts'
import { collectMetrics } from './process-metrics.ts'
import type { Message } from './messages.ts'
import { bindSharedPort, type SharedPort } from './shared-port.ts'

export interface Part {
  /** "web 1", for the log. */
  name: string
  /** File in this folder. */
  file: string
  /** The port it listens on, together with others of its kind. */
  port?: number
  /** A port of its own instead, bound already, on which those that replace it go on. */
  privatePort?: SharedPort
  env?: Record<string, string>
  /** Options of Node. */
  execArgv?: readonly string[]
  /** How long it still works after it was asked to stop, before it begins to. */
  drainMs?: number
  /** Topics on which the other processes wake it. */
  wokenFor?: WakeUp['topic']
}

export interface Supervisor {
  /** Resolves when every process has reported that it is ready. */
  ready: Promise<void>
  /** Metrics of all processes. */
  metrics(): Promise<string>
  /** Stops the processes in the given order; each gets ten seconds, after its draining. */
  stop(): Promise<void>
}

interface Running {
  part: Part
  child: ChildProcess
  startedAt: number
  /** It is to end, and another is started in its place. */
  leaving?: boolean
}

const patienceMs = 11_000
const maxPauseMs = 5000
const signalMs = 100

/**
 * Starts the processes and restarts each when it ends, for whatever reason. One that says that it is leaving works on until another is
 * ready in its place.
 */
export function supervise(parts: readonly Part[], env: NodeJS.ProcessEnv): Supervisor {
  serveQuotas()
  const port = parts.find((part) => part.port !== undefined)?.port
  const sharedPort = port === undefined ? null : bindSharedPort(port)
  const ports = [sharedPort, ...new Set(parts.map((part) => part.privatePort))]
  const running = new Set<Running>()
  const timers = new Set<NodeJS.Timeout>()
  const waiting = new Set(parts)
  let stopping = false
  const { promise: ready, resolve: allReady, reject: failed } = Promise.withResolvers<void>()
  let failures = 0

  const start = (part: Part, attempt: number) => {
    const child = spawnPart(part, { ...env, ...part.env, PURLIN_ROLE: part.name }, sharedPort)
    const entry: Running = { part, child, startedAt: Date.now() }
    running.add(entry)
    child.on('message', (message: Message) => {
      if (message.kind === 'ready') {
        if (waiting.delete(part) && waiting.size === 0) allReady()
        for (const other of running) if (other !== entry && other.leaving && other.part === part) void stopPart(other)
      }
      if (message.kind === 'leaving' && !entry.leaving) {
        entry.leaving = true
        // A signal to all processes may reach this one last: then nothing is to be started any more.
        later(part, 0, signalMs)
      }
      if (message.kind === 'wake') {
        for (const { part: other, child: sleeper } of running)
          if (other !== part && other.wokenFor === message.wakeUp.topic && sleeper.connected) sleeper.send(message, () => undefined)
      }
      if (message.kind === 'gather') {
        const others = [...running].map((each) => each.child).filter((each) => each.connected)
        void collectMetrics(others).then(
          (text) => child.connected && child.send({ kind: 'gathered', id: message.id, text } satisfies Message, () => undefined),
        )
      }
    })
    child.on('error', (error) => log.error({ part: part.name, reason: error.message }, 'a process could not be reached'))
    child.once('exit', (code, signal) => {
      running.delete(entry)
      if (stopping || entry.leaving) return
      // A process that has never come up will not on the fifth attempt either.
      if (waiting.has(part) && ++failures >= 5)
        return failed(new StartError(`The process "${part.name}" does not start: see the log above.`))
      const next = Date.now() - entry.startedAt > 30_000 ? 0 : attempt + 1
      const pause = Math.min(maxPauseMs, 50 * 2 ** next)
      log.warn({ part: part.name, process: child.pid, code, signal, pauseMs: pause }, 'a process ended and is started again')
      later(part, next, pause)
    })
  }
  const later = (part: Part, attempt: number, pauseMs: number) => {
    const timer = setTimeout(() => {
      timers.delete(timer)
      start(part, attempt)
    }, pauseMs)
    timers.add(timer)
  }
  for (const part of parts) start(part, 0)

  const connected = () => [...running].map((each) => each.child).filter((each) => each.connected)
  return {
    ready,
    metrics: () => collectMetrics(connected()),
    stop: async () => {
      stopping = true
      for (const timer of timers) clearTimeout(timer)
      // The last process to close a listening socket resets the connections that wait in it: it has to be one that accepts them.
      for (const each of ports) each?.close()
      // Web processes stop first, then the worker; processes of one kind stop together.
      const files = [...new Set(parts.map(({ file }) => file))]
      for (const file of files) await Promise.all([...running].filter(({ part }) => part.file === file).map(stopPart))
    },
  }
}

/** The processes load what `compile.ts` has compiled. */
const preload = ['--import', pathToFileURL(join(import.meta.dirname, 'compiled.mjs')).href]

function spawnPart({ file, port, privatePort, execArgv = [] }: Part, env: NodeJS.ProcessEnv, sharedPort: SharedPort | null): ChildProcess {
  const exec = join(import.meta.dirname, file)
  const options = { execArgv: [...process.execArgv, ...preload, ...execArgv] }
  if (port === undefined && !privatePort) return fork(exec, [], { env, ...options })
  const descriptors = (privatePort ?? sharedPort)?.descriptors ?? []
  cluster.setupPrimary({ exec, args: [], stdio: ['inherit', 'inherit', 'inherit', 'ipc', ...descriptors], ...options })
  return cluster.fork({ ...env, PURLIN_INHERITED: String(descriptors.length) }).process
}

async function stopPart({ child, part: { drainMs = 0 } }: Running): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  if (child.connected) child.send({ kind: 'stop' } satisfies Message, () => undefined)
  else child.kill('SIGTERM')
  const late = setTimeout(() => child.kill('SIGKILL'), patienceMs + drainMs)
  await ended
  clearTimeout(late)
}
