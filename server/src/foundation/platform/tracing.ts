/**
 * Traces of requests: page → operation → SQL → event or job → external call (decision 059). Without a collector (`startTracing`) each
 * function does its work and nothing else. Attributes hold names of ours alone: no addresses, ids of people, texts or values.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { type Attributes, type Context, type Span, SpanKind, SpanStatusCode, type Tracer, context, trace } from '@opentelemetry/api'
import { codeOf } from './errors.ts'

let tracer: Tracer | undefined

/** Undefined switches tracing off. */
export function useTracer(made: Tracer | undefined): void {
  tracer = made
}

interface SpanOptions {
  kind?: 'client' | 'consumer'
  attributes?: Attributes
}

const kinds = { client: SpanKind.CLIENT, consumer: SpanKind.CONSUMER }

/** Runs the work within a span below the current one; without a current one it is not traced. */
export function traced<Value>(name: string, options: SpanOptions, work: () => Promise<Value>): Promise<Value> {
  return tracer && trace.getSpan(context.active()) ? within(tracer, context.active(), name, options, work) : work()
}

/** Runs the work as a continuation of the trace that a payload carried; without one it begins a trace of its own. */
export function tracedAfter<Value>(
  traceparent: string | undefined,
  name: string,
  options: SpanOptions,
  work: () => Promise<Value>,
): Promise<Value> {
  return tracer ? within(tracer, contextOf(traceparent), name, options, work) : work()
}

async function within<Value>(
  by: Tracer,
  parent: Context,
  name: string,
  { kind, attributes = {} }: SpanOptions,
  work: () => Promise<Value>,
): Promise<Value> {
  const span = by.startSpan(name, { attributes, ...(kind && { kind: kinds[kind] }) }, parent)
  try {
    return await context.with(trace.setSpan(parent, span), work)
  } catch (error) {
    // The message may name a person; the kind of error does not.
    span.setStatus({ code: SpanStatusCode.ERROR })
    span.setAttribute('error.type', codeOf(error) ?? (error instanceof Error ? error.name : 'unknown'))
    throw error
  } finally {
    span.end()
  }
}

const requestSpans = new WeakMap<IncomingMessage, Span>()

/** Runs the listener within the span of its request, which ends with the response. `isTrusted` lets the client's traceparent be its parent. */
export function traceRequest(req: IncomingMessage, res: ServerResponse, isTrusted: () => boolean, listener: () => void): void {
  if (!tracer) return listener()
  const given = req.headers['traceparent']
  const parent = contextOf(typeof given === 'string' && isTrusted() ? given : undefined)
  const span = tracer.startSpan(`${req.method}`, { kind: SpanKind.SERVER, attributes: { 'http.request.method': req.method ?? '' } }, parent)
  requestSpans.set(req, span)
  res.once('close', () => {
    span.setAttribute('http.response.status_code', res.statusCode)
    if (res.statusCode >= 500) span.setStatus({ code: SpanStatusCode.ERROR })
    span.end()
  })
  context.with(trace.setSpan(parent, span), listener)
}

/** Names the request's span by its route: the address itself may hold what somebody searched for, or the token of a link. */
export function nameRequestSpan(req: IncomingMessage, route: string): void {
  requestSpans.get(req)?.updateName(`${req.method} ${route}`).setAttribute('http.route', route)
}

/** Names the current span by the page that it made. */
export function namePageSpan(route: string): void {
  if (!tracer) return
  trace.getSpan(context.active())?.updateName(`page ${route}`).setAttribute('http.route', route)
}

/** Keeps the current trace for work that others start later. */
export function inCurrentTrace<Arguments extends unknown[], Value>(work: (...given: Arguments) => Value): (...given: Arguments) => Value {
  return tracer ? context.bind(context.active(), work) : work
}

/** W3C trace context of the current span, for what continues it elsewhere. */
export function currentTraceparent(): string | undefined {
  const span = tracer && trace.getSpan(context.active())?.spanContext()
  return span && `00-${span.traceId}-${span.spanId}-${span.traceFlags.toString(16).padStart(2, '0')}`
}

/** Header of a call to a service of ours. */
export function traceHeader(): { traceparent?: string } {
  const traceparent = currentTraceparent()
  return traceparent === undefined ? {} : { traceparent }
}

/** A payload of an event or job with the trace that caused it. */
export function withTrace<Payload extends object>(payload: Payload): Payload {
  const traceparent = currentTraceparent()
  return traceparent === undefined ? payload : { ...payload, traceparent }
}

/** The payload as it was given to `withTrace`, and its trace. */
export function withoutTrace(carried: object): { payload: object; traceparent?: string } {
  if (!('traceparent' in carried)) return { payload: carried }
  const { traceparent, ...payload } = carried
  return { payload, ...(typeof traceparent === 'string' && { traceparent }) }
}

const pattern = /^00-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})$/

function contextOf(traceparent: string | undefined): Context {
  const root = trace.deleteSpan(context.active())
  const [, traceId = '', spanId = '', flags = ''] = pattern.exec(traceparent ?? '') ?? []
  if (/^0*$/.test(traceId) || /^0*$/.test(spanId)) return root
  return trace.setSpanContext(root, { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & 1, isRemote: true })
}
