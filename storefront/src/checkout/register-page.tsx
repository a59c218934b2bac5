import { Button, ButtonLink } from '@purlin/ui/button.tsx'
import { ErrorSummary, Field } from '@purlin/ui/field.tsx'
import { fieldsOf, formAction } from '@purlin/web/form-action.ts'
import { email } from '@purlin/web/form-input.ts'
import { redirect, refuse } from '@purlin/web/outcomes.ts'
import type { ReactNode } from 'react'
import * as v from 'valibot'
import { paths } from '../paths.ts'
import type { PageProps, ShopContext } from '../shell/context.ts'
import { signInHref } from '../sign-in/callback.ts'
import styles from './checkout.module.css'
import { FunnelSteps } from './funnel-steps.tsx'
import { followReminder, RemindMe, reminderFields } from './remind-me.tsx'
import { ContinueAsGuestDocument, GuestFunnelDocument, type RefusalFragment } from '../generated/documents.ts'

export async function load(context: ShopContext) {
  // A signed-in customer has an e-mail address already.
  if ((await context.principal()).kind !== 'guest') return redirect(302, paths.funnelGateway())
  const { funnel, basketReminder } = await context.client.query(GuestFunnelDocument)
  if (funnel.step === 'cart') return redirect(302, paths.cart())
  return {
    data: { email: funnel.email ?? '', reminder: basketReminder ?? null },
    title: context.t('checkout.register.title'),
    robots: 'noindex',
  }
}

const guestForm = v.object({ email: email(), ...reminderFields })

export const action = formAction(guestForm, async (context: ShopContext, input) => {
  const answer = await context.client.mutate(ContinueAsGuestDocument, {
    email: input.email,
  })
  const refusal = answer?.continueAsGuest.refusal
  if (refusal) return refuse(refusal)
  await followReminder(context, input)
  return redirect(303, paths.funnelGateway())
})

/** Identifies the buyer: as a guest, by an e-mail address only. */
export function Page({ data, context, refusal, typed }: PageProps<typeof load, RefusalFragment>): ReactNode {
  const { t } = context
  const field = fieldsOf(guestForm, {
    typed,
    refusal,
    known: (name) => (name === 'email' ? data.email : name === 'remind' && data.reminder?.hasAgreed ? '1' : ''),
  })
  const error = refusal && (field('email').error ?? refusal.message)
  return (
    <div className={styles.narrow}>
      <FunnelSteps current="identity" t={t} />
      <h1>{t('checkout.register.title')}</h1>
      {error && <ErrorSummary title={t('checkout.error.title')} errors={[{ href: '#email', message: error }]} />}
      <section className={styles.panel} aria-labelledby="account">
        <h2 id="account">{t('checkout.register.account.title')}</h2>
        <p>{t('checkout.register.account.text')}</p>
        <p>
          <ButtonLink href={signInHref(paths.funnelGateway())} size="l" look="secondary" rel="nofollow">
            {t('checkout.register.sign-in')}
          </ButtonLink>
        </p>
      </section>
      <section className={styles.panel} aria-labelledby="guest">
        <h2 id="guest">{t('checkout.register.guest.title')}</h2>
        <form method="post">
          <Field
            {...field('email')}
            type="email"
            inputMode="email"
            autoComplete="email"
            label={t('checkout.register.email')}
            hint={t('checkout.register.guest.text')}
            error={error}
          />
          <RemindMe remind={field('remind')} reminded={field('reminded')} reminder={data.reminder} t={t} />
          <Button size="l" wide>
            {t('checkout.register.continue')}
          </Button>
        </form>
      </section>
    </div>
  )
}
