import type { AddressCountry } from './addresses.ts'

/**
 * Towns with their postcodes: the largest of each country, as public lists of the post offices have them. In GB districts
 * stand for postcodes, since the rest of a postcode is a handful of houses. "Town: postcodes", ranges inclusive.
 */
export const towns: Record<AddressCountry, string> = {
  DE: `Berlin: 10115-14199; Hamburg: 20095-22769; München: 80331-81929; Köln: 50667-51149; Frankfurt am Main: 60306-60599; Stuttgart: 70173-70629;
Düsseldorf: 40210-40629; Leipzig: 04103-04357; Dortmund: 44135-44388; Essen: 45127-45359; Bremen: 28195-28779; Dresden: 01067-01328;
Hannover: 30159-30669; Nürnberg: 90402-90491; Duisburg: 47051-47279; Bochum: 44787-44894; Wuppertal: 42103-42399; Bielefeld: 33602-33739;
Bonn: 53111-53229; Münster: 48143-48167; Karlsruhe: 76131-76229; Mannheim: 68159-68309; Augsburg: 86150-86199; Wiesbaden: 65183-65207;
Mönchengladbach: 41061-41239; Gelsenkirchen: 45879-45899; Aachen: 52062-52080; Braunschweig: 38100-38126; Chemnitz: 09111-09247;
Kiel: 24103-24159; Halle (Saale): 06108-06132; Magdeburg: 39104-39130; Freiburg im Breisgau: 79098-79117; Krefeld: 47798-47839;
Mainz: 55116-55131; Lübeck: 23552-23570; Erfurt: 99084-99099; Oberhausen: 46045-46149; Rostock: 18055-18147; Kassel: 34117-34134;
Hagen: 58089-58135; Potsdam: 14467-14482; Saarbrücken: 66111-66133; Ludwigshafen am Rhein: 67059-67071; Oldenburg: 26121-26135;
Osnabrück: 49074-49090; Heidelberg: 69115-69126; Darmstadt: 64283-64297; Regensburg: 93047-93059; Würzburg: 97070-97084; Ulm: 89073-89081;
Ingolstadt: 85049-85057; Wolfsburg: 38440-38448; Göttingen: 37073-37085; Trier: 54290-54296; Jena: 07743-07751; Koblenz: 56068-56077;
Erlangen: 91052-91058; Cottbus: 03042-03055; Schwerin: 19053-19063`,
  FR: `Paris: 75001-75020, 75116; Marseille: 13001-13016; Lyon: 69001-69009; Toulouse: 31000, 31100, 31200, 31300, 31400, 31500; Nice: 06000, 06100, 06200, 06300;
Nantes: 44000, 44100, 44200, 44300; Montpellier: 34000, 34070, 34080, 34090; Strasbourg: 67000, 67100, 67200; Bordeaux: 33000, 33100, 33200, 33300, 33800;
Lille: 59000, 59160, 59260, 59777, 59800; Rennes: 35000, 35200, 35700; Reims: 51100; Toulon: 83000, 83100, 83200; Saint-Étienne: 42000, 42100;
Le Havre: 76600, 76610, 76620; Grenoble: 38000, 38100; Dijon: 21000; Angers: 49000, 49100; Villeurbanne: 69100; Nîmes: 30000, 30900;
Clermont-Ferrand: 63000, 63100; Aix-en-Provence: 13080, 13090, 13100; Le Mans: 72000, 72100; Brest: 29200; Tours: 37000, 37100, 37200;
Amiens: 80000, 80080, 80090; Limoges: 87000, 87100, 87280; Annecy: 74000; Boulogne-Billancourt: 92100; Metz: 57000, 57050, 57070; Perpignan: 66000, 66100;
Besançon: 25000; Orléans: 45000, 45100; Rouen: 76000, 76100; Mulhouse: 68100, 68200; Caen: 14000; Nancy: 54000, 54100; Saint-Denis: 93200, 93210;
Argenteuil: 95100; Montreuil: 93100; Roubaix: 59100; Tourcoing: 59200; Avignon: 84000; Poitiers: 86000; Versailles: 78000; La Rochelle: 17000; Pau: 64000;
Cannes: 06400, 06150; Antibes: 06600, 06160; Calais: 62100; Dunkerque: 59140, 59240; Colmar: 68000; Bourges: 18000; Valence: 26000; Quimper: 29000;
Troyes: 10000; Lorient: 56100; Chambéry: 73000; Niort: 79000; Vannes: 56000; Bayonne: 64100; Ajaccio: 20000, 20090`,
  ES: `Madrid: 28001-28055; Barcelona: 08001-08042; Valencia: 46001-46026; Sevilla: 41001-41020; Zaragoza: 50001-50022; Málaga: 29001-29018;
Murcia: 30001-30012; Palma: 07001-07015; Las Palmas de Gran Canaria: 35001-35020; Bilbao: 48001-48015; Alicante: 03001-03016; Córdoba: 14001-14014;
Valladolid: 47001-47017; Vigo: 36201-36216; Gijón: 33201-33213; L’Hospitalet de Llobregat: 08901-08908; Vitoria-Gasteiz: 01001-01015; A Coruña: 15001-15011;
Granada: 18001-18015; Elche: 03201-03208; Oviedo: 33001-33013; Terrassa: 08221-08228; Badalona: 08911-08918; Cartagena: 30201-30205;
Jerez de la Frontera: 11401-11408; Sabadell: 08201-08208; Móstoles: 28931-28938; Santa Cruz de Tenerife: 38001-38010; Pamplona: 31001-31016;
Almería: 04001-04009; Fuenlabrada: 28941-28947; Leganés: 28911-28919; San Sebastián: 20001-20018; Getafe: 28901-28909; Burgos: 09001-09007;
Santander: 39001-39012; Castellón de la Plana: 12001-12006; Alcorcón: 28921-28925; Albacete: 02001-02008; Logroño: 26001-26009; Badajoz: 06001-06012;
Salamanca: 37001-37009; Huelva: 21001-21008; Lleida: 25001-25008; Tarragona: 43001-43008; León: 24001-24010; Cádiz: 11001-11012; Marbella: 29601-29604;
Jaén: 23001-23009; Ourense: 32001-32005; Girona: 17001-17007; Lugo: 27001-27004; Toledo: 45001-45009; Cáceres: 10001-10005; Ceuta: 51001-51005;
Melilla: 52001-52006; Reus: 43201-43206; Alcalá de Henares: 28801-28807`,
  IT: `Roma: 00118-00199; Milano: 20121-20162; Napoli: 80121-80147; Torino: 10121-10156; Palermo: 90121-90151; Genova: 16121-16167; Bologna: 40121-40141;
Firenze: 50121-50145; Bari: 70121-70132; Catania: 95121-95131; Venezia: 30121-30176; Verona: 37121-37142; Messina: 98121-98168; Padova: 35121-35143;
Trieste: 34121-34151; Brescia: 25121-25136; Parma: 43121-43126; Taranto: 74121-74123; Prato: 59100; Modena: 41121-41126; Reggio Calabria: 89121-89135;
Reggio Emilia: 42121-42124; Perugia: 06121-06135; Ravenna: 48121-48125; Livorno: 57121-57128; Cagliari: 09121-09134; Foggia: 71121-71122;
Rimini: 47921-47924; Salerno: 84121-84135; Ferrara: 44121-44124; Sassari: 07100; Latina: 04100; Monza: 20900; Siracusa: 96100; Pescara: 65121-65129;
Bergamo: 24121-24129; Forlì: 47121-47122; Trento: 38121-38123; Vicenza: 36100; Terni: 05100; Bolzano: 39100; Novara: 28100; Piacenza: 29121-29122;
Ancona: 60121-60131; Andria: 76123; Arezzo: 52100; Udine: 33100; Cesena: 47521-47522; Lecce: 73100; Pesaro: 61121-61122; Como: 22100; Pisa: 56121-56128;
Lucca: 55100; Treviso: 31100; Varese: 21100; Catanzaro: 88100; Cosenza: 87100; Potenza: 85100; L’Aquila: 67100; Aosta: 11100; Campobasso: 86100;
Cremona: 26100; Pavia: 27100; Mantova: 46100`,
  GB: `London: E1-E18, EC1A-EC4Y, N1-N22, NW1-NW11, SE1-SE28, SW1A-SW20, W1A-W14, WC1A-WC2R; Birmingham: B1-B38; Manchester: M1-M4, M8-M9, M11-M16, M18-M23, M40;
Glasgow: G1-G5, G11-G15, G20-G23, G31-G34, G40-G46, G51-G53; Liverpool: L1-L19, L24-L25; Leeds: LS1-LS18; Sheffield: S1-S14; Edinburgh: EH1-EH17; Bristol: BS1-BS16;
Cardiff: CF1-CF5, CF10-CF11, CF14-CF15, CF23-CF24; Leicester: LE1-LE5; Coventry: CV1-CV6; Bradford: BD1-BD15; Belfast: BT1-BT17; Nottingham: NG1-NG11; Kingston upon Hull: HU1-HU12;
Newcastle upon Tyne: NE1-NE7; Stoke-on-Trent: ST1-ST4; Southampton: SO14-SO19; Derby: DE1-DE3, DE21-DE24; Portsmouth: PO1-PO6; Brighton: BN1-BN2; Plymouth: PL1-PL9;
Wolverhampton: WV1-WV11; Reading: RG1-RG8; Aberdeen: AB10-AB16, AB21-AB25; Dundee: DD1-DD5; Bolton: BL1-BL7; Bournemouth: BH1-BH11; Norwich: NR1-NR8; Swindon: SN1-SN6;
Swansea: SA1-SA7; Southend-on-Sea: SS1-SS3; Middlesbrough: TS1-TS9; Peterborough: PE1-PE7; Oxford: OX1-OX4; Cambridge: CB1-CB5; York: YO1, YO10, YO19, YO23-YO24, YO26, YO30-YO32;
Ipswich: IP1-IP10; Gloucester: GL1-GL4; Exeter: EX1-EX6; Blackpool: FY1-FY4; Milton Keynes: MK1-MK15; Preston: PR1-PR5; Huddersfield: HD1-HD8; Newport: NP10-NP11, NP18-NP20;
Telford: TF1-TF7; Stockport: SK1-SK8; Bath: BA1-BA2; Worcester: WR1-WR8; Lincoln: LN1-LN6; Chester: CH1-CH4; Carlisle: CA1-CA7; Durham: DH1, DH6-DH7; Lancaster: LA1-LA2;
Inverness: IV1-IV3; Canterbury: CT1-CT4; Colchester: CO1-CO7; Northampton: NN1-NN7; Luton: LU1-LU4; Warrington: WA1-WA5; Wigan: WN1-WN6; Harrogate: HG1-HG3; Truro: TR1-TR4;
Salisbury: SP1-SP5; Taunton: TA1-TA4; Torquay: TQ1-TQ2; Shrewsbury: SY1-SY5; Perth: PH1-PH2; Guildford: GU1-GU5`,
}
