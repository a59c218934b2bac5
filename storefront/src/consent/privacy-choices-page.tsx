import { browserStorage, type StoredThing } from '@purlin/contract/browser-storage.ts'
import { consentOf, consentPurposes } from '@purlin/contract/consent.ts'
import { Alert, Breadcrumb, Button, Check, Container, Table } from '@purlin/ui'
import { Enhance } from '@purlin/web/enhance.tsx'
import type { ReactNode } from 'react'
import { paths } from '../paths.ts'
import type { PageProps, ShopContext } from '../shell/context.ts'
import { consentField } from './consent-form.ts'
import styles from './consent.module.css'

/** Where visitors see and change their choice, and everything the shop may store in their browser. */
export async function load(context: ShopContext) {
  const { t, cookieHeader, hasPrivacySignal, query } = context
  const { isDecided, purposes } = consentOf({ headers: { cookie: cookieHeader, 'sec-gpc': hasPrivacySignal ? '1' : undefined } })
  return {
    data: { isDecided, purposes, hasPrivacySignal, isSaved: query['saved'] === '1' },
    title: t('consent.page.title'),
    robots: 'noindex',
  }
}

export function Page({ data: { isDecided, purposes, hasPrivacySignal, isSaved }, context: { t } }: PageProps<typeof load>): ReactNode {
  const kept = (days: StoredThing['days']) => {
    if (days === null) return t('consent.kept.until-cleared')
    if (days === 0) return t('consent.kept.tab')
    return days < 1 ? t('consent.kept.minutes', { count: Math.round(days * 1440) }) : t('consent.kept.days', { count: days })
  }
  return (
    <Container narrow>
      <div className={styles.page}>
        <Breadcrumb label={t('shell.breadcrumb')} crumbs={[{ label: t('shell.home'), href: '/' }]} here={t('consent.page.title')} />
        <h1>{t('consent.page.title')}</h1>
        {isSaved && (
          <Alert severity="success" announces>
            {t('consent.page.saved')}
          </Alert>
        )}
        <p>{t('consent.page.intro')}</p>
        {hasPrivacySignal && <Alert severity="info">{t('consent.page.signal')}</Alert>}
        <form method="post" action="/api/v1/consent" className={styles.form}>
          <input type="hidden" name={consentField('back')} value={`${paths.privacyChoices()}?saved=1`} />
          <Enhance with="privacy-signal" when="load">
            <input type="hidden" name={consentField('signal')} value="" />
          </Enhance>
          <p>{t(isDecided ? 'consent.page.chosen' : 'consent.page.open')}</p>
          <fieldset>
            <legend className="hidden">{t('consent.page.purposes')}</legend>
            {consentPurposes.map((purpose) => (
              <Check
                key={purpose}
                id={purpose}
                name={consentField('purposes')}
                value={purpose}
                label={t(`consent.purpose.${purpose}`)}
                hint={t(`consent.purpose.${purpose}.text`)}
                defaultChecked={purposes.includes(purpose)}
                disabled={hasPrivacySignal && purpose === 'personalisedAdvertising'}
              />
            ))}
          </fieldset>
          <div className={styles.buttons}>
            <Button look="secondary" name={consentField('choice')} value="some">
              {t('consent.page.save')}
            </Button>
            <Button look="secondary" name={consentField('choice')} value="none">
              {t('consent.refuse')}
            </Button>
            <Button look="secondary" name={consentField('choice')} value="all">
              {t('consent.accept')}
            </Button>
          </div>
        </form>
        <section aria-labelledby="stored">
          <h2 id="stored">{t('consent.stored.title')}</h2>
          <Table
            caption={t('consent.stored.title')}
            quietCaption
            rows={browserStorage}
            keyOf={({ name }) => name}
            columns={[
              { key: 'name', label: t('consent.stored.name'), cell: ({ name }) => <code>{name}</code>, isHead: true },
              { key: 'is', label: t('consent.stored.use'), cell: ({ is }) => t(`consent.stored.${is}`) },
              {
                key: 'purpose',
                label: t('consent.stored.purpose'),
                cell: ({ purposes: allowedBy }) => (
                  <div>
                    {allowedBy === 'needed'
                      ? t('consent.stored.needed')
                      : allowedBy.map((purpose) => <div key={purpose}>{t(`consent.purpose.${purpose}`)}</div>)}
                  </div>
                ),
              },
              { key: 'kept', label: t('consent.stored.kept'), cell: ({ days }) => kept(days) },
            ]}
          />
        </section>
      </div>
    </Container>
  )
}
