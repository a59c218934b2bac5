import { processSettings, settings } from './settings.ts'

/** Sends traces if a collector is set, and loads nothing otherwise. Call what it returns before the process ends. */
export async function startTracing(): Promise<() => Promise<void>> {
  const { traces } = settings()
  if (!traces) return async () => undefined
  const { startSdk } = await import('./tracing-sdk.ts')
  return startSdk(traces, processSettings().part)
}
