import type { Action } from '@purlin/contract/actions.ts'
import { isMarket } from '@purlin/contract/markets.ts'
import { Button, ButtonLink, Container } from '@purlin/ui'
import { notFound } from '@purlin/web/outcomes.ts'
import type { ReactNode } from 'react'
import { OfficeDocument, OfficeInvoicesDocument, OfficeSellerDocument, type OfficeQuery } from '../generated/documents.ts'
import { paths } from '../paths.ts'
import type { PageProps, ShopContext } from '../shell/context.ts'
import { countryName } from '../shell/switches.tsx'
import { OfficeInvoices } from './office-invoices.tsx'
import styles from './office.module.css'

/** Who is signed in to the offices. Failures other than a refusal are the page's. */
async function findOffice(context: ShopContext): Promise<OfficeQuery['office'] | 'nobody' | 'without-role'> {
  try {
    return (await context.client.query(OfficeDocument)).office
  } catch (error) {
    const status = error instanceof Error && 'status' in error ? error.status : undefined
    if (status === 401) return 'nobody'
    if (status === 403) return 'without-role'
    throw error
  }
}

export async function load(context: ShopContext) {
  const office = await findOffice(context)
  const sellerId = typeof office === 'string' ? null : (office.sellerId ?? null)
  const seller = sellerId === null ? null : (await context.client.query(OfficeSellerDocument, { id: sellerId })).seller
  const seesInvoices = typeof office !== 'string' && office.actions.includes('sellerInvoice.see' satisfies Action)
  const page = /^[1-9]\d{0,3}$/.test(String(context.query['page'])) ? Number(context.query['page']) : 1
  const invoices = seesInvoices ? (await context.client.query(OfficeInvoicesDocument, { page })).sellerInvoices : null
  if (invoices && invoices.page > 1 && invoices.page > invoices.pages) return notFound()
  return { data: { office, seller, invoices }, title: context.t('office.title'), robots: 'noindex' }
}

/** The door to the offices of sellers and of the marketplace: who a member of staff is, and what they may do. */
export function Page({ data: { office, seller, invoices }, context }: PageProps<typeof load>): ReactNode {
  const { t } = context
  const signOut = (
    <form method="post" action={paths.logout({}, { office: 'staff' })}>
      <Button look="secondary">{t('office.sign-out')}</Button>
    </form>
  )
  if (office === 'without-role')
    return (
      <Container narrow>
        <div className={styles.page}>
          <h1>{t('office.title')}</h1>
          <p className={styles.text}>{t('office.without-role')}</p>
          {signOut}
        </div>
      </Container>
    )
  if (office === 'nobody')
    return (
      <Container narrow>
        <div className={styles.page}>
          <h1>{t('office.title')}</h1>
          <p className={styles.text}>{t('office.nobody')}</p>
          <p>
            <ButtonLink href={paths.auth({ path: 'pre-login' }, { provider: 'keycloak-staff', callbackUrl: paths.office() })} size="l">
              {t('office.sign-in')}
            </ButtonLink>
          </p>
        </div>
      </Container>
    )
  return (
    <Container narrow>
      <div className={styles.page}>
        <h1>{t('office.hello', { name: office.name })}</h1>
        <p className={styles.text}>
          {seller
            ? t.rich('office.seller', { seller: (name) => <a href={seller.url}>{name}</a> }, { seller: seller.name })
            : t('office.operator')}
        </p>
        {office.email && <p className={styles.quiet}>{t('office.as', { email: office.email })}</p>}
        <section aria-labelledby="roles" className={styles.part}>
          <h2 id="roles">{t('office.roles')}</h2>
          <ul className={styles.roles}>
            {office.roles.map(({ role, market }) => (
              <li key={`${role} ${market}`}>
                <strong>{t(`office.role.${role}`)}</strong>
                <span>{market !== null && isMarket(market) ? countryName(market) : t('office.markets.all')}</span>
                <span className={styles.quiet}>{t(`office.role.${role}.text`)}</span>
              </li>
            ))}
          </ul>
        </section>
        {office.actions.includes('payout.see') && (
          <p>
            <ButtonLink href={paths.officePayouts()}>{t('office.payouts')}</ButtonLink>
          </p>
        )}
        {office.kind === 'seller' && (
          <section aria-labelledby="programs" className={styles.part}>
            <h2 id="programs">{t('office.api')}</h2>
            <p className={styles.text}>
              {t.rich('office.api.text', { document: (name) => <a href="/api/seller/v1/openapi.json">{name}</a> })}
            </p>
          </section>
        )}
        {invoices && <OfficeInvoices list={invoices} context={context} />}
        <details className={styles.part}>
          <summary>{t('office.actions', { count: office.actions.length })}</summary>
          <ul className={styles.actions}>
            {office.actions.map((action) => (
              <li key={action}>
                <code>{action}</code>
              </li>
            ))}
          </ul>
        </details>
        {signOut}
      </div>
    </Container>
  )
}
