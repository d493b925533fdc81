/**
 * English: words of every day and the words of laws, regulations and handbooks that answer them, a group a line. Only
 * forms of different stems are listed. Opposites, causes and effects, wholes and parts are not related.
 */
export const related: string = [
  // The state: its powers, offices and signs.
  `
  state country republic nation
  government governmental cabinet executive
  parliament legislature legislative congress
  mp deputy legislator lawmaker parliamentarian
  minister ministry ministerial
  official officer servant
  bureaucrat official servant
  agency authority department
  power authority competence prerogative
  city municipal town
  town settlement township
  village rural hamlet
  region province
  district county
  governor gubernatorial
  border frontier boundary
  independence sovereignty sovereign
  flag banner
  anthem hymn
  emblem insignia
  oath swear sworn
  inauguration assume
  successor succeed succession
  replace succeed performed acting
  substitute deputise
  interim temporary
  immunity inviolability
  remove impeach oust depose
  resign quit
  appoint nominate
  dissolve dissolution disband
  veto objection
  publish publication promulgate
  change amend revise
  people population inhabitants
  session sitting meeting
  quorum attendance
  supervise oversight monitor
  check inspect verify verification
  boss head chief manager supervisor
  leader head chief
  spokesman spokesperson
  `,
  // Elections and referendums.
  `
  choose elect
  election electoral poll
  vote ballot voter
  voter elector
  candidate candidacy nominee
  reelect elected
  referendum plebiscite
  campaign canvass electioneering
  signature sign signatory
  party partisan
  coalition bloc
  `,
  // Law in general: acts, duties, rights, bans and permissions.
  `
  law legislation statute
  legal lawful legitimate
  illegal unlawful illicit
  rule regulation norm
  regulation provision
  decree edict
  directive instruction
  guide guidance manual handbook instruction
  bylaw statute
  contract agreement
  deal agreement
  treaty pact accord convention
  ban prohibit forbidden forbid
  permit permission authorisation authorization
  allow permit entitle
  permission consent approval
  compel coerce coercion compulsory
  compulsory mandatory obligatory
  duty obligation obligatory
  obey comply compliance observe
  break breach violate infringe
  offence offense violation
  right entitlement
  privilege benefit
  freedom liberty free
  fair justice
  dignity honour honor
  insult humiliate degrading
  secret secrecy classified
  limit restrict
  cancel revoke revocation annul rescind
  abolish abolition repeal
  end terminate cease
  responsible liable liability
  innocent presumption
  witness testify testimony
  prove proof evidence
  punish penalty sanction
  damage harm loss
  compensation reimburse indemnity
  compensation damages redress
  dispute conflict disagreement
  exception exemption
  null void invalid
  binding enforceable
  bill draft
  `,
  // Courts, police, crime and punishment.
  `
  court judicial tribunal judiciary
  judge judicial justice
  sue lawsuit claim litigation
  plaintiff claimant
  defendant accused
  lawyer attorney advocate counsel
  lawyer legal
  accuse charge
  suspect suspicion
  sentence convict
  verdict judgment judgement
  ruling judgment judgement decision
  jury juror
  appeal challenge contest
  complain complaint grievance
  pardon amnesty clemency
  arrest detain detention custody apprehend
  jail prison imprisonment incarceration
  prisoner convict inmate detainee
  search enter entry
  wiretap intercept eavesdrop
  interrogate questioning
  torture cruel inhuman
  police policeman
  cop police
  detective investigator
  crime criminal offence offense
  kill murder homicide
  steal theft stolen thief
  rob robbery robber
  cheat fraud deceive deception fraudulent
  scam fraud
  bribe bribery corruption
  fake forge forgery counterfeit
  threat threaten blackmail
  fight assault beating
  terrorism terrorist
  drug narcotic
  weapon gun firearm arms
  fine penalty
  seize seizure confiscate
  bail surety
  `,
  // Citizenship, documents of identity, travel abroad.
  `
  citizenship nationality citizen
  passport citizenship nationality
  identity identification id
  foreigner alien
  abroad foreign overseas
  immigrant migrant migration
  refugee asylum
  deport expel expulsion
  extradite surrender
  homeland motherland fatherland
  ethnic nationality
  naturalise naturalize
  move relocate
  `,
  // Army and defence.
  `
  army military armed
  soldier serviceman military
  draft conscription
  war hostilities wartime
  fight combat
  attack aggression invade invasion
  protect safeguard
  commander supreme
  emergency extraordinary
  spy espionage intelligence
  `,
  // Freedoms: belief, speech, assembly.
  `
  religion religious faith belief
  believer religious worshipper
  church religious
  priest clergy clergyman
  secular nonreligious
  atheist unbeliever
  pray prayer worship
  rally protest demonstration assembly march
  strike walkout
  censorship censor
  speech expression
  press journalist media
  newspaper press
  journalist reporter correspondent
  tv television
  radio broadcast
  slander libel defamation
  union association
  club association society
  organisation organization association
  `,
  // Property, land and housing.
  `
  house home dwelling residence
  flat apartment
  housing dwelling accommodation
  property ownership possession
  owner ownership proprietor
  buy purchase acquire acquisition
  buyer purchaser
  sell sale sold
  seller vendor
  rent lease rental tenancy
  tenant lessee renter
  landlord lessor
  land plot parcel
  estate realty
  mortgage loan
  inherit heir succession
  testament bequest
  gift donation
  build construction
  repair fix maintenance
  hotel lodging accommodation
  hostel dormitory
  nationalise nationalize
  expropriate seize
  `,
  // Work: hiring, dismissal, hours, leave.
  `
  work job employ labour labor
  worker employee staff personnel
  company firm enterprise organisation
  colleague coworker teammate
  department division
  profession occupation vocation
  position post
  hire recruit
  interview screening
  resume cv
  intern internship trainee
  probation trial
  onboarding orientation induction
  newcomer joiner
  fire dismiss terminate
  sack dismiss
  layoff redundancy
  unemployed jobless
  vacation holiday leave pto
  sick illness
  maternity parental pregnancy
  paternity parental
  late tardy
  shift rota
  schedule timetable roster
  remote telework telecommute
  break pause
  lunch meal
  weekend saturday sunday
  trip travel journey
  travel trip business
  expense cost spending expenditure
  reimburse refund repay
  allowance stipend
  perk benefit
  uniform clothing
  dress attire clothing
  reprimand disciplinary warning
  promotion advancement
  review appraisal evaluation
  raise increase increment
  task assignment
  dangerous hazardous
  safe safety
  experience seniority tenure
  skill qualification
  volunteer voluntary
  harassment bullying
  overwork overtime
  retire pension
  severance redundancy
  payslip payroll
  hr personnel
  wfh remotely telework
  `,
  // Pay, money, banks and taxes.
  `
  currency money monetary
  money funds
  cash banknotes coins
  salary wage pay
  salary remuneration
  pay payment paid
  bonus premium incentive
  earn income
  income revenue
  profit gain
  free gratis complimentary
  price cost tariff
  cheap inexpensive
  discount rebate reduction
  fee charge
  fee levy
  bill invoice
  receipt voucher
  transfer remit remittance
  card cardholder
  saving deposit
  loan credit
  lender creditor
  borrower debtor
  borrow loan
  debt owe indebtedness
  refund return reimbursement
  budget budgetary
  treasury exchequer
  finance financial fund
  tax taxation fiscal
  taxpayer payer
  collect levy
  bankruptcy bankrupt insolvency
  business entrepreneur entrepreneurship
  businessman entrepreneur
  trade commerce commercial
  products merchandise
  market marketplace
  percent percentage share
  accounting bookkeeping
  tender procurement bid
  supplier vendor supply
  `,
  // Pensions, benefits and help.
  `
  pension retiree
  aid assistance help
  support assistance help
  poor needy
  poverty poor
  elderly aged old
  guardian guardianship trustee
  charity charitable donation
  subsidy grant subsidise
  scholarship stipend
  `,
  // Family.
  `
  family household
  marriage matrimony marital
  marry marriage wedding
  divorce dissolution
  alimony maintenance
  husband spouse
  wife spouse
  mum mother
  mom mother motherhood maternity
  dad father fatherhood paternity
  grandparent grandmother
  child minor juvenile
  kid child children
  teenager adolescent juvenile minor
  adult majority
  baby infant newborn
  birth born
  kin kinship
  nursery kindergarten preschool
  daycare kindergarten nursery
  woman female
  man male
  sex gender
  funeral burial
  surname lastname
  `,
  // Education and science.
  `
  school education
  teacher educator instructor
  pupil schoolchild student
  student undergraduate
  university college
  lesson class
  exam examination test
  diploma degree
  course training
  scientist scientific science researcher
  research study
  book textbook
  thesis dissertation
  literacy literate
  language linguistic
  translator interpret
  `,
  // Health.
  `
  doctor hospital medical health
  doctor physician
  hospital clinic
  treat treatment therapy
  cure treatment
  health healthcare
  disease illness ailment
  medicine drug medication pharmaceutical
  pharmacy pharmacist chemist
  vaccine jab inoculation
  shot vaccination
  surgery surgical operation
  ambulance emergency
  injury wound hurt
  injured wounded
  infection infectious contagious
  epidemic pandemic
  quarantine isolation
  checkup examination
  dentist dental tooth
  eye vision sight
  heart cardiac
  brain cerebral
  lung pulmonary
  kidney renal
  liver hepatic
  skin dermal
  mental psychiatric psychological
  smoke tobacco
  drunk intoxicated alcohol
  die death dead
  deceased dead
  abortion termination
  donor donate
  blood haematological
  `,
  // Accounts, passwords and personal data.
  `
  account profile
  user username
  admin administrator
  password passphrase
  password credential
  login signin logon
  login authentication
  logout signout
  register registration signup enroll
  mfa multifactor 2fa
  otp passcode
  verify verification confirm
  access permission
  forgot forgotten reset recover
  forget forgotten
  recover recovery restore
  block lock
  email mail
  phone telephone
  mobile cellphone smartphone
  call telephone
  sms text
  text message
  personal private
  privacy confidentiality
  confidential secret
  consent agree agreement
  unsubscribe optout
  notify notification alert
  warn alert
  pseudonym alias
  gdpr privacy
  `,
  // Computers, clouds and networks.
  `
  computer pc laptop
  computer algorithm automated
  robot automatic automated
  program software application
  app application
  hardware equipment
  server host
  vm virtual instance
  virtualisation virtualization hypervisor
  storage store
  bucket container
  disk volume drive
  disc disk
  folder directory
  file document
  backup copy
  snapshot image
  database db
  kubernetes k8s
  node host
  internet online
  site website
  site portal
  webpage page
  domain dns
  traffic bandwidth
  speed bandwidth throughput
  wifi wireless
  router gateway
  vpn tunnel
  encrypt cipher
  certificate ssl tls
  token key
  quota limit
  limit maximum cap
  exceed excess
  increase raise extend expand
  reduce decrease lower
  scale autoscaling
  memory ram
  processor cpu core
  gpu graphics
  slow latency lag
  freeze hang
  configure setup
  parameter option
  install setup
  delete remove erase
  erase wipe
  update upgrade
  patch update
  version release
  start launch
  stop halt shutdown
  enable activate
  disable deactivate
  restart reboot
  migrate move
  edit modify modification
  upload import
  error failure fault
  bug defect error
  crash failure
  broken faulty defective
  troubleshoot fix
  outage downtime unavailable
  availability uptime
  log journal
  graph chart
  script scenario
  interface ui gui
  developer programmer
  code source
  helpdesk support
  ticket request
  ai artificial
  container docker
  serverless lambda function
  id identifier
  os operating
  repo repository
  auth authentication
  spec specification
  `,
  // Security incidents.
  `
  hack breach compromise intrusion
  hacker attacker intruder
  attack ddos
  virus malware malicious
  ransomware malware
  phishing fraudulent suspicious
  spam unsolicited
  leak disclosure breach
  reveal disclose disclosure
  vulnerability weakness flaw
  lose loss lost
  fire blaze
  camera cctv surveillance
  `,
  // Applications, papers and procedures.
  `
  application request
  ask request
  petition request
  form questionnaire
  paper document
  documentation docs
  copy duplicate
  proxy attorney
  representative representation
  stamp seal
  minutes protocol
  confirm approve
  deny denial refuse
  reject decline
  consider consideration review
  decide decision resolution
  renew prolong
  queue waiting
  template sample
  list register
  stage step phase
  method procedure
  deliver delivery
  join participate
  eligible qualify
  requirement condition
  prerequisite requirement
  photo picture photograph
  asap promptly immediately
  dob birth
  `,
  // Time, age, quantity and measure.
  `
  age old older
  age younger
  deadline cutoff
  term period tenure
  length duration
  yearly annual
  daily day
  fortnight fourteen
  immediately promptly forthwith instantly
  urgent emergency
  beforehand prior
  quick rapid
  frequency often frequent
  regular periodic
  permanent indefinite
  overdue late
  delay postpone
  early premature
  maximum highest greatest
  minimum lowest least
  double twice
  weight mass
  tall height
  high height
  long length
  wide width
  deep depth
  size dimension
  volume capacity
  hot heat
  number quantity amount
  begin start commencement
  finish completion
  final last
  enough sufficient
  `,
  // Transport and travel.
  `
  car vehicle automobile
  lorry truck
  driver motorist
  road highway motorway
  accident collision crash
  plane aircraft airplane aviation
  airport aviation
  flight fly
  pilot aviator
  train railway rail
  bus coach
  subway metro underground
  taxi cab
  ship vessel boat
  port harbour harbor maritime
  luggage baggage
  deliver courier shipment
  shipping shipment delivery
  cargo freight
  parcel package
  pedestrian walk
  bicycle bike cycling
  petrol gasoline fuel
  ticket fare
  `,
  // Environment, energy, water, agriculture.
  `
  environment environmental ecological
  pollution contamination
  rubbish waste garbage trash
  landfill dump
  tree timber wood
  animal wildlife fauna
  plant flora
  dog canine
  fish fishery
  water aquatic
  river stream
  lake reservoir
  sea marine maritime
  ocean marine
  earthquake seismic
  drought arid
  sewage wastewater sewerage
  electricity power
  energy power
  nuclear atomic
  oil petroleum
  sun solar
  subsoil minerals
  mine extraction
  factory plant
  industry manufacturing
  farm agricultural
  farmer peasant
  crop harvest
  wheat grain cereal
  cattle livestock
  cow cattle
  sow seed
  food nutrition
  eat food
  weather meteorological
  star stellar
  moon lunar
  earth terrestrial
  `,
  // Speeches and politics.
  `
  politics policy
  politician political
  speech address
  speak speech
  statement declaration
  meeting summit
  talks negotiations
  visit trip
  cooperation partnership
  ambassador diplomat
  embassy consulate
  alliance ally
  reform transformation
  promise pledge
  thank gratitude
  award prize medal
  anniversary jubilee
  crisis turmoil
  growth grow
  decline drop fall
  youth young
  digitalisation digitalization
  athlete sport
  opposition dissent
  revolt uprising rebellion
  coup overthrow
  riot unrest
  famine hunger
  `,
].join('\n');
