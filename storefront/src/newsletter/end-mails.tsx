import { Button } from '@purlin/ui'
import type { ReactNode } from 'react'
import type { ShopContext } from '../shell/context.ts'

/** The texts of the unsubscribe page. */
export const endTexts = {
  newsletter: { title: 'newsletter.end.title', text: 'newsletter.end.text', act: 'newsletter.end.do', done: 'newsletter.end.done' },
  offers: { title: 'offers.end.title', text: 'offers.end.text', act: 'offers.end.do', done: 'offers.end.done' },
  basket: { title: 'reminder.end.title', text: 'reminder.end.text', act: 'reminder.end.do', done: 'reminder.end.done' },
} as const

interface Ended {
  kind: keyof typeof endTexts
  /** Of the form's field. */
  name: string
  token: string
  isDone: boolean
  t: ShopContext['t']
}

/** On the unsubscribe page, for the links of the newsletter, of offers and reminders, and of guests' reminders. */
export function EndMails({ kind, name, token, isDone, t }: Ended): ReactNode {
  const { title, text, act, done } = endTexts[kind]
  return (
    <>
      <h1>{t(title)}</h1>
      {isDone ? (
        <p role="status">{t(done)}</p>
      ) : (
        <form method="post">
          <p>{t(text)}</p>
          <input type="hidden" name={name} value={token} />
          <Button>{t(act)}</Button>
        </form>
      )}
    </>
  )
}
