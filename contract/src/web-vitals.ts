/** Thresholds of web vitals: good up to the first, poor above the second; in milliseconds, CLS as it is. Source: spec §9. */
export const vitalThresholds = {
  FCP: [1800, 3000],
  LCP: [2500, 4000],
  CLS: [0.1, 0.25],
  INP: [200, 500],
  TTFB: [800, 1800],
} as const satisfies Record<string, readonly [number, number]>

export type Vital = keyof typeof vitalThresholds
export type Rating = 'good' | 'needs-improvement' | 'poor'

export function rateVital(vital: Vital, value: number): Rating {
  const [good, poor] = vitalThresholds[vital]
  if (value <= good) return 'good'
  return value <= poor ? 'needs-improvement' : 'poor'
}
