import { Alert, Breadcrumb, ButtonLink, Container, Section, Table } from '@purlin/ui'
import { notFound } from '@purlin/web/outcomes.ts'
import type { ReactNode } from 'react'
import { LoyaltyStanding, tierCase } from '../account/loyalty-standing.tsx'
import { LoyaltyDocument } from '../generated/documents.ts'
import { paths } from '../paths.ts'
import type { PageProps, ShopContext } from '../shell/context.ts'
import styles from './landing.module.css'

export async function load(context: ShopContext) {
  const { loyalty } = await context.client.query(LoyaltyDocument)
  if (!loyalty) return notFound()
  return { data: loyalty, title: context.t('loyalty.title'), description: context.t('loyalty.lead'), robots: 'noindex' }
}

/** The loyalty programme: its levels and benefits, and the customer's own standing. */
export function Page({ data: loyalty, context }: PageProps<typeof load>): ReactNode {
  const { t } = context
  const here = t('loyalty.title')
  return (
    <Container>
      <header className={styles.head}>
        <Breadcrumb label={t('shell.breadcrumb')} crumbs={[{ label: t('shell.home'), href: '/' }]} here={here} />
        <h1>{here}</h1>
        <p className={styles.lead}>{t('loyalty.lead')}</p>
        {!loyalty.isRunning && <Alert severity="info">{t('loyalty.paused')}</Alert>}
      </header>
      <Section title={t('advantages.tier')}>
        <LoyaltyStanding loyalty={loyalty} context={context} />
      </Section>
      <Section title={t('loyalty.levels')}>
        <Table
          caption={t('loyalty.levels')}
          quietCaption
          columns={[
            {
              key: 'tier',
              label: t('loyalty.tier'),
              isHead: true,
              cell: ({ tier }) => t('advantages.tier.name', { tier: tierCase(tier) }),
            },
            { key: 'orders', label: t('loyalty.orders'), cell: ({ orders }) => t('loyalty.orders.from', { count: orders }) },
            {
              key: 'value',
              label: t('loyalty.value'),
              cell: ({ spent }) => (spent ? t('loyalty.value.from', { amount: spent.formatted }) : t('loyalty.value.any')),
            },
            {
              key: 'benefit',
              label: t('loyalty.benefit'),
              cell: ({ freeDeliveries }) => t('loyalty.deliveries', { count: freeDeliveries }),
            },
          ]}
          rows={loyalty.levels.toReversed()}
          keyOf={({ tier }) => tier}
        />
        <p className={styles.note}>{t('loyalty.how', { amount: loyalty.freeDeliveryFrom.formatted })}</p>
        <p className={styles.actions}>
          <ButtonLink href={paths.myAdvantages()}>{t('loyalty.use')}</ButtonLink>
          <ButtonLink href={paths.loyaltyProgramFaq()} look="secondary">
            {t('loyalty.faq')}
          </ButtonLink>
        </p>
      </Section>
    </Container>
  )
}
