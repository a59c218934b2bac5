import { Alert } from '@purlin/ui/alert.tsx'
import { Button } from '@purlin/ui/button.tsx'
import { ErrorSummary, Field } from '@purlin/ui/field.tsx'
import type { FormFields } from '@purlin/web/form.ts'
import { redirect, refuse } from '@purlin/web/outcomes.ts'
import type { ReactNode } from 'react'
import { paths } from '../paths.ts'
import type { PageProps, ShopContext } from '../shell/context.ts'
import styles from './checkout.module.css'
import { FunnelSteps } from './funnel-steps.tsx'
import { ContinueAsGuestDocument, FunnelDocument, type RefusalFragment } from '../generated/documents.ts'

export async function load(context: ShopContext) {
  // Whoever is signed in has an e-mail address already.
  if ((await context.principal()).kind !== 'guest') return redirect(302, paths.funnelGateway())
  const { funnel } = await context.client.query(FunnelDocument)
  if (funnel.step === 'cart') return redirect(302, paths.cart())
  return { data: { email: funnel.email ?? '' }, title: context.t('checkout.register.title'), robots: 'noindex' }
}

export async function action(context: ShopContext, form: FormFields) {
  const answer = await context.client.mutate(ContinueAsGuestDocument, {
    email: form.get('email').trim(),
  })
  const refusal = answer?.continueAsGuest.refusal
  return refusal ? refuse(refusal) : redirect(303, paths.funnelGateway())
}

/** Who is ordering: as a guest, by an e-mail address alone. */
export function Page({ data, context, refusal, typed }: PageProps<typeof load, RefusalFragment>): ReactNode {
  const { t } = context
  return (
    <div className={styles.narrow}>
      <FunnelSteps current="identity" t={t} />
      <h1>{t('checkout.register.title')}</h1>
      {refusal && <ErrorSummary title={t('checkout.error.title')} errors={[{ href: '#email', message: refusal.message }]} />}
      <section className={styles.panel} aria-labelledby="guest">
        <h2 id="guest">{t('checkout.register.guest.title')}</h2>
        <form method="post">
          <Field
            id="email"
            name="email"
            type="email"
            inputMode="email"
            autoComplete="email"
            label={t('checkout.register.email')}
            hint={t('checkout.register.guest.text')}
            error={refusal?.message}
            defaultValue={typed?.get('email') ?? data.email}
            required
            maxLength={254}
          />
          <Button size="l" wide>
            {t('checkout.register.continue')}
          </Button>
        </form>
      </section>
      <Alert severity="info" title={t('checkout.register.account.title')}>
        {t('checkout.register.account.text')}
      </Alert>
    </div>
  )
}
