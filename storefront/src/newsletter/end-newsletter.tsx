import { Button } from '@purlin/ui'
import type { ReactNode } from 'react'
import type { ShopContext } from '../shell/context.ts'

/** On the unsubscribe page, for the link of a newsletter. */
export function EndNewsletter({
  name,
  token,
  isDone,
  t,
}: {
  name: string
  token: string
  isDone: boolean
  t: ShopContext['t']
}): ReactNode {
  return (
    <>
      <h1>{t('newsletter.end.title')}</h1>
      {isDone ? (
        <p role="status">{t('newsletter.end.done')}</p>
      ) : (
        <form method="post">
          <p>{t('newsletter.end.text')}</p>
          <input type="hidden" name={name} value={token} />
          <Button>{t('newsletter.end.do')}</Button>
        </form>
      )}
    </>
  )
}
