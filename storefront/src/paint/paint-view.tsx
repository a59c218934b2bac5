import { Breadcrumb, Container, Panel, Section } from '@purlin/ui'
import type { ReactNode } from 'react'
import { EntryCards } from '../advice/entry-cards.tsx'
import type { PaintQuery } from '../generated/documents.ts'
import { paths } from '../paths.ts'
import { Sheet } from '../product/sheet.tsx'
import { Sample } from '../product/product-view.tsx'
import layout from '../product/product.module.css'
import type { ShopContext } from '../shell/context.ts'
import { Rail } from '../shell/rail.tsx'
import { Stars } from '../shell/stars.tsx'
import { Heart } from '../wishlist/heart.tsx'
import { PaintCalculator } from './paint-calculator.tsx'
import type { TypedNeed } from './need.ts'
import { PaintStage } from './paint-stage.tsx'

interface PaintViewProps {
  product: NonNullable<PaintQuery['product']>
  paint: NonNullable<PaintQuery['paint']>
  need: TypedNeed
  area: number
  path: string
  context: ShopContext
}

/** The wall in its colour, the colours, and the tins for an area. */
export function PaintView({ product: shown, paint, need, area, path, context }: PaintViewProps): ReactNode {
  const { t } = context
  const facts = ['finish', 'coverage'].flatMap((key) => shown.attributes.find((attribute) => attribute.key === key) ?? [])
  return (
    <Container>
      <div className={layout.crumbs}>
        <Breadcrumb
          label={t('shell.breadcrumb')}
          crumbs={[{ label: t('shell.home'), href: '/' }, ...shown.categories.map(({ name, url }) => ({ label: name, href: url }))]}
        />
      </div>
      <div className={layout.top}>
        <div className={layout.head}>
          {shown.brand && (
            <p>
              <a className={layout.brand} href={shown.brand.url}>
                {shown.brand.name}
              </a>
            </p>
          )}
          <h1 className={layout.title}>{shown.title}</h1>
          <p className={layout.sub}>
            <Stars size="l" of={shown} context={context} />
            {facts.map(({ key, label, value, unit }) => (
              <span key={key}>
                {label}: {value} {unit}
              </span>
            ))}
          </p>
        </div>
        <div className={layout.pictures}>
          <PaintStage paint={paint} isOutside={outside.has(shown.family)} need={need} context={context} />
          <div className={layout.wish}>
            <Heart productId={shown.id} title={shown.title} t={t} />
          </div>
        </div>
        <div className={layout.buy}>
          <Panel title={t('paint.how-much')}>
            <PaintCalculator paint={paint} need={need} area={area} path={path} context={context} />
          </Panel>
          <Sample product={shown} context={context} />
          {shown.bestOffer && (
            <p>
              <a href={shown.url}>{t('paint.tin-page')}</a>
            </p>
          )}
        </div>
      </div>
      <Sheet product={shown} context={context} />
      {shown.guides && shown.guides.length > 0 && (
        <Section title={t('advice.related')} more={{ href: paths.ourAdvice(), label: t('advice.all-guides') }}>
          <EntryCards cards={shown.guides} context={context} />
        </Section>
      )}
      <Rail title={t('product.alternatives')} cards={shown.alternatives} context={context} />
    </Container>
  )
}

/** Families for walls and wood outside; everything else is shown in a room. */
const outside = new Set(['masonry_paint', 'wood_stain'])
