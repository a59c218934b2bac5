/** `PATIENCE=5` waits five times as long wherever a journey waits, on a machine that has much else to do; checks stay the same. */

export function patient(ms: number): number {
  return ms * Number(process.env['PATIENCE'] ?? 1)
}
