/** The OpenTelemetry SDK, loaded only where traces are wanted. */
import { context } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { resourceFromAttributes } from '@opentelemetry/resources'
import { BatchSpanProcessor, ParentBasedSampler, TraceIdRatioBasedSampler, TracerProvider } from '@opentelemetry/sdk-trace'
import type { TraceSettings } from './settings.ts'
import { useTracer } from './tracing.ts'

/** Sends spans to the collector from now on. Returns a function that sends what is left and stops. */
export function startSdk({ endpoint, service, ratio }: TraceSettings, part: string): () => Promise<void> {
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': service, 'service.instance.id': `${part} ${process.pid}` }),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(ratio) }),
    // A collector that is slow or down costs spans, not requests: the queue is bounded.
    spanProcessors: [new BatchSpanProcessor({ exporter: new OTLPTraceExporter({ url: `${endpoint}/v1/traces`, timeoutMillis: 3000 }) })],
    spanLimits: { attributeValueLengthLimit: 200 },
  })
  const manager = new AsyncLocalStorageContextManager().enable()
  context.setGlobalContextManager(manager)
  useTracer(provider.getTracer('purlin'))
  return async () => {
    useTracer(undefined)
    // Spans that cannot be sent while a process ends are lost.
    await provider.shutdown().catch(() => undefined)
    context.disable()
    manager.disable()
  }
}
