import { Icon, Section } from '@purlin/ui'
import type { ReactNode } from 'react'
import { EntryCards } from '../advice/entry-cards.tsx'
import type { EntryCardFragment } from '../generated/documents.ts'
import { paths } from '../paths.ts'
import type { ShopContext } from '../shell/context.ts'
import type { Home, HomeDepartment } from './load-home.ts'
import styles from './home.module.css'

interface HeroProps {
  picture: string
  title: string
  text: string
  isPro?: boolean
  /** The primary action. */
  children: ReactNode
}

/** The hero: a wide picture with the title over it. */
export function Hero({ picture, title, text, isPro, children }: HeroProps): ReactNode {
  return (
    <section className={isPro ? styles.proHero : styles.hero} aria-labelledby="hero-title">
      <img className={styles.heroPicture} src={picture} width={1440} height={480} alt="" fetchPriority="high" />
      <div className={styles.heroInner}>
        <div className={styles.heroText}>
          <h1 id="hero-title">{title}</h1>
          <p>{text}</p>
          {children}
        </div>
      </div>
    </section>
  )
}

export function DepartmentTiles({ departments, isDense }: { departments: readonly HomeDepartment[]; isDense?: boolean }): ReactNode {
  return (
    <ul className={isDense ? `${styles.tiles} ${styles.dense}` : styles.tiles}>
      {departments.map((department) => (
        <li key={department.id}>
          <a href={department.url} className={styles.tile}>
            <img src={department.pictureUrl} width={160} height={160} alt="" loading="lazy" />
            <span>{department.name}</span>
          </a>
        </li>
      ))}
    </ul>
  )
}

/** What operators announce: a picture, a few words, one link. */
export function EntryBanners({ banners }: { banners: readonly EntryCardFragment[] }): ReactNode {
  return banners.map(
    ({ id, title, description, url, pictureUrl }) =>
      url && (
        <a key={id} className={styles.announcement} href={url}>
          {pictureUrl && <img src={pictureUrl} width={480} height={480} alt="" loading="lazy" />}
          <span>
            <b>{title}</b>
            <span>{description}</span>
          </span>
          <Icon name="right" size={28} />
        </a>
      ),
  )
}

/** Advice to read before starting a job. */
export function GuideStrip({ guides, context }: { guides: readonly EntryCardFragment[]; context: ShopContext }): ReactNode {
  const { t } = context
  if (guides.length === 0) return null
  return (
    <Section title={t('advice.for-home')} more={{ href: paths.ourAdvice(), label: t('advice.all-guides') }}>
      <EntryCards cards={guides} context={context} />
    </Section>
  )
}

const themes = ['garden', 'paint'] as const

/** Two departments, each with a large picture. */
export function Banners({ departments }: { departments: readonly HomeDepartment[] }): ReactNode {
  const shown = themes.flatMap((theme) => departments.filter((department) => department.department === theme))
  if (shown.length === 0) return null
  return (
    <ul className={styles.banners}>
      {shown.map((department) => (
        <li key={department.id}>
          <a className={styles.banner} href={department.url}>
            <img src={`/pictures/h/${department.department}.svg`} width={1440} height={480} alt="" loading="lazy" />
            <span>{department.name}</span>
          </a>
        </li>
      ))}
    </ul>
  )
}

export function BrandStrip({ brands, context: { t } }: { brands: Home['brands']; context: ShopContext }): ReactNode {
  if (brands.length === 0) return null
  return (
    <Section title={t('home.brands')}>
      <ul className={styles.brands}>
        {brands.slice(0, 12).map((brand) => (
          <li key={brand.id}>
            <a href={brand.url} className={styles.brand}>
              <img src={brand.logoUrl} width={120} height={60} alt={brand.name} loading="lazy" />
            </a>
          </li>
        ))}
      </ul>
    </Section>
  )
}
