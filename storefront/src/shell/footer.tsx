import { Icon, Logo, type IconName } from '@purlin/ui'
import type { ReactNode } from 'react'
import type { PlainKey } from '@purlin/words/catalogues.ts'
import { paths } from '../paths.ts'
import type { ShopContext } from './context.ts'
import styles from './footer.module.css'
import { keptShell } from './kept-shell.tsx'
import { MarketLinks } from './switches.tsx'
import { hasNetPrices } from './words.ts'

const promises: { icon: IconName; key: 'sellers' | 'payment' | 'returns' | 'delivery' }[] = [
  { icon: 'store', key: 'sellers' },
  { icon: 'truck', key: 'delivery' },
  { icon: 'lock', key: 'payment' },
  { icon: 'return', key: 'returns' },
]

/** Four short assurances for buyers. By law consumers have a right of withdrawal, businesses do not. */
function TrustStrip({ context: { t, mode } }: { context: ShopContext }): ReactNode {
  const said = (key: (typeof promises)[number]['key']) => (key === 'returns' && mode === 'b2b' ? 'returns-pro' : key)
  return (
    <ul className={styles.promises}>
      {promises.map(({ icon, key }) => (
        <li key={key}>
          <Icon name={icon} size={28} />
          <div>
            <p className={styles.promise}>{t(`shell.promise.${said(key)}.title`)}</p>
            <p className={styles.detail}>{t(`shell.promise.${said(key)}.text`)}</p>
          </div>
        </li>
      ))}
    </ul>
  )
}

interface FooterProps {
  context: ShopContext
  isInstallable?: boolean
}

export function Footer({ context, isInstallable = false }: FooterProps): ReactNode {
  const html = keptShell(context, `footer ${isInstallable}`, (shared) => <FooterContent context={shared} isInstallable={isInstallable} />)
  return <footer className={`${styles.footer} on-dark`} dangerouslySetInnerHTML={{ __html: html }} />
}

function FooterContent({ context, isInstallable }: FooterProps): ReactNode {
  const { t, mode, prefersVat } = context
  const showsVat = !hasNetPrices(context) || prefersVat
  return (
    <>
      <div className={styles.strip}>
        <div className="measure">
          <TrustStrip context={context} />
        </div>
      </div>
      <div className="measure">
        <div className={styles.columns}>
          <div className={styles.about}>
            <Logo isPro={mode === 'b2b'} height={30} again />
            <p>{t(mode === 'b2b' ? 'shell.about-pro' : 'shell.about')}</p>
            {mode === 'b2b' && isInstallable && <p data-touchpoint>{t('announcement.app')}</p>}
          </div>
          <Column title={t('shell.discover')}>
            <Item href={paths.goodDeals()} label="shell.deals" t={t} />
            <Item href={paths.bestSellers()} label="discovery.best.title" t={t} />
            <Item href={paths.ourCurrentOffers()} label="discovery.operations.title" t={t} />
            <Item href={paths.massLandingSitemap()} label="discovery.popular.title" t={t} />
            <Item href={paths.ourAdvice()} label="advice.guides" t={t} />
            <Item href={paths.ourComparisons()} label="advice.comparisons" t={t} />
            <Item href={paths.craftyCompanion()} label="advice.projects" t={t} />
            <Item href={paths.subscribe()} label="newsletter.title" t={t} />
            <Item href={paths.ourBrands()} label="shell.brands" t={t} />
          </Column>
          <Column title={t('shell.help')}>
            <Item href={paths.helpCenter()} label="shell.help" t={t} />
            <Item href={paths.contact()} label="shell.contact" t={t} />
            <Item href={paths.deliveryInformation()} label="shell.delivery" t={t} />
            {/* Only consumers may withdraw. */}
            {mode === 'b2c' && <Item href={paths.withdrawal()} label="shell.withdrawal" t={t} />}
            <Item href={paths.consumerInformation()} label={mode === 'b2c' ? 'shell.consumer' : 'shell.consumer-pro'} t={t} />
            <Item href={paths.ranking()} label="shell.ranking" t={t} />
            <Item href={paths.sitemap()} label="shell.sitemap" t={t} />
          </Column>
          <Column title={t('shell.name')}>
            <Item href={paths.proLanding()} label="shell.to-pros" t={t} />
            <Item href={paths.termsAndConditions()} label="shell.terms" t={t} />
            <Item href={paths.dataProtection()} label="shell.privacy" t={t} />
            <Item href={paths.privacyChoices()} label="consent.page.title" t={t} />
            <Item href={paths.legals()} label="shell.legal" t={t} />
            <Item href={paths.accessibility()} label="shell.accessibility" t={t} />
          </Column>
          <nav className={styles.column} aria-labelledby="foot-markets">
            <h2 id="foot-markets">{t('shell.markets')}</h2>
            <MarketLinks context={context} />
          </nav>
        </div>
        <p className={styles.small}>{t(showsVat ? 'shell.prices-with-vat' : 'shell.prices-without-vat')}</p>
      </div>
    </>
  )
}

function Column({ title, children }: { title: string; children: ReactNode }): ReactNode {
  return (
    <div className={styles.column}>
      <h2>{title}</h2>
      <ul>{children}</ul>
    </div>
  )
}

function Item({ href, label, t }: { href: string; label: PlainKey; t: ShopContext['t'] }): ReactNode {
  return (
    <li>
      <a href={href}>{t(label)}</a>
    </li>
  )
}
