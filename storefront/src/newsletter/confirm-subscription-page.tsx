import { Alert, Button, ButtonLink, Container } from '@purlin/ui'
import { formAction, namesOf } from '@purlin/web/form-action.ts'
import { optionalText } from '@purlin/web/form-input.ts'
import { redirect } from '@purlin/web/outcomes.ts'
import type { ReactNode } from 'react'
import * as v from 'valibot'
import { ConfirmBasketReminderDocument, ConfirmSubscriptionDocument } from '../generated/documents.ts'
import { paths } from '../paths.ts'
import type { PageProps, ShopContext } from '../shell/context.ts'
import styles from './newsletter.module.css'

const confirmForm = v.object({ token: optionalText(60), basket: optionalText(60) })
const field = namesOf(confirmForm)

/** What can be confirmed: the newsletter, or a guest's reminder of the basket. */
const texts = {
  token: {
    title: 'newsletter.confirm.title',
    text: 'newsletter.confirm.text',
    act: 'newsletter.confirm.do',
    done: 'newsletter.confirm.done',
  },
  basket: { title: 'reminder.confirm.title', text: 'reminder.confirm.text', act: 'reminder.confirm.do', done: 'reminder.confirm.done' },
} as const

/** The link of the mail. Opening it changes nothing, because mail scanners open every link. */
export async function load({ query, t }: ShopContext) {
  const { done } = query
  const kind = typeof query['basket'] === 'string' ? 'basket' : 'token'
  const token = query[kind]
  const outcome = done === '1' ? 'confirmed' : done === '0' || typeof token !== 'string' ? 'invalid' : 'open'
  return {
    data: { kind, token: typeof token === 'string' ? token : '', outcome } as const,
    title: t(texts[kind].title),
    robots: 'noindex',
  }
}

export const action = formAction(confirmForm, async ({ client }: ShopContext, { token, basket }) => {
  if (basket !== null) {
    const reminder = await client.mutate(ConfirmBasketReminderDocument, { token: basket })
    return redirect(303, paths.confirmSubscription({}, { basket: '', done: reminder?.isConfirmed ? '1' : '0' }))
  }
  const answer = await client.mutate(ConfirmSubscriptionDocument, { token: token ?? '' })
  return redirect(303, paths.confirmSubscription({}, { done: answer?.isConfirmed ? '1' : '0' }))
})

export function Page({ data: { kind, token, outcome }, context: { t } }: PageProps<typeof load>): ReactNode {
  return (
    <Container narrow>
      <div className={styles.page}>
        <h1>{t(texts[kind].title)}</h1>
        {outcome === 'confirmed' && (
          <Alert severity="success" announces>
            {t(texts[kind].done)}
          </Alert>
        )}
        {outcome === 'invalid' && (
          <>
            <Alert severity="warning" announces>
              {t('newsletter.confirm.none')}
            </Alert>
            {kind === 'token' && (
              <div>
                <ButtonLink href={paths.subscribe()}>{t('newsletter.confirm.again')}</ButtonLink>
              </div>
            )}
          </>
        )}
        {outcome === 'open' && (
          <form method="post" className={styles.form}>
            <p>{t(texts[kind].text)}</p>
            <input type="hidden" name={field(kind)} value={token} />
            <Button>{t(texts[kind].act)}</Button>
          </form>
        )}
      </div>
    </Container>
  )
}
