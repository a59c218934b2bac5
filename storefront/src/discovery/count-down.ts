import { formatMessage } from '@purlin/words/translate.ts'
import { timeLeft } from './countdown.ts'

/** Counts down to the end of an operation. */
export function countDown(clock: HTMLElement): void {
  const until = Date.parse(clock.dataset['until'] ?? '')
  const words = JSON.parse(clock.dataset['words'] ?? '""')
  const show = (): void => {
    const left = timeLeft(until, Date.now())
    if (!left) {
      clock.hidden = true
      clearInterval(timer)
      return
    }
    clock.textContent = formatMessage(document.documentElement.lang, words, left)
    clock.hidden = false
  }
  const timer = setInterval(show, 1000)
  show()
}
