import { browserConsent } from '../consent/browser-consent.ts'
import { reportToServer } from '../session/session-client.ts'

/** Whether something happens in time: `follow` gets what to call when it does, and returns what ends following. */
export function happensWithin(ms: number, follow: (happened: () => void) => () => void): Promise<boolean> {
  return new Promise((resolve) => {
    let stop: (() => void) | undefined
    const end = (happened: boolean) => {
      clearTimeout(late)
      stop?.()
      resolve(happened)
    }
    const late = setTimeout(end, ms, false)
    stop = follow(() => end(true))
  })
}

/** Tells the server what went wrong with measuring, with consent alone. */
export function report(code: string, message: string): void {
  if (browserConsent().allows('statistics')) reportToServer(code, message)
}
