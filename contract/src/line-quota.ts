const maxPerMinute = 120

/** Whether another line may be written this minute: for lines that anybody can cause. (A44) */
export function lineQuota(): () => boolean {
  let minute = 0
  let count = 0
  return () => {
    const now = Math.floor(Date.now() / 60_000)
    if (now !== minute) [minute, count] = [now, 0]
    return ++count <= maxPerMinute
  }
}
