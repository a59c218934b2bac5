/** The slope of the straight line with the least squared distances from the samples. */
export function slopePerMinute(samples: readonly { minute: number; mb: number }[]): number {
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length)
  const minute = mean(samples.map((sample) => sample.minute))
  const mb = mean(samples.map((sample) => sample.mb))
  const spread = samples.reduce((sum, sample) => sum + (sample.minute - minute) ** 2, 0)
  const common = samples.reduce((sum, sample) => sum + (sample.minute - minute) * (sample.mb - mb), 0)
  return spread === 0 ? 0 : common / spread
}
