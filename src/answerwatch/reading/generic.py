"""Words that name nothing of a maker: labels, qualities, units, places, what a text is made of. Data only.

They tell names that stand in answers from everything else that looks like one, for suggestions; no answer is read
differently by them.
"""

from __future__ import annotations


def _words(text: str) -> tuple[str, ...]:
    return tuple(text.split())


CHINESE_ENDS = _words(
    """
    优势 劣势 特点 特色 亮点 卖点 优点 缺点 不足 短板 弱点 强项 长处 价值 人群 用户 客户 消费者 家庭 场景 需求 预算
    价格 价位 报价 费用 成本 售价 性价比 口碑 评价 评分 评测 测评 反馈 评论 数据 信息 资料 来源 渠道 质量 品质 工艺
    材料 材质 板材 用料 配方 原料 成分 口感 口味 功效 功能 性能 参数 配置 配件 规格 尺寸 重量 外观 颜值 手感 做工
    设计感 风格 体验 服务 售后 保障 保修 质保 安装 交付 施工 物流 能力 实力 水平 技术 研发 创新 经验 资质 背景 历史
    规模 定位 地位 排名 排行 榜单 份额 知名度 影响力 系统 屏幕 续航 电池 充电 快充 处理器 芯片 内存 存储 影像 拍照
    摄像头 镜头 铰链 散热 信号 音质 屏 系列 产品 产品线 机型 型号 款式 车型 品牌 公司 企业 厂家 厂商 商家 门店 店铺
    工厂 机构 平台 团队 服务商 供应商 选择 选项 推荐 建议 指南 攻略 方案 策略 方法 方式 步骤 流程 技巧 要点 重点
    关键 因素 标准 维度 原则 依据 理由 原因 结论 总结 小结 概述 简介 介绍 分析 对比 比较 差异 区别 说明 声明 提示
    提醒 事项 风险 问题 争议 投诉 陷阱 避坑 误区 趋势 市场 行业 领域 赛道 梯队 阵营 档次 级别 类型 类别 分类 考察
    调研 咨询 沟通 比价 试用 试驾 验收 签约 合同 条款 活动 优惠 套餐 环保 安全 安全性 稳定性 耐用性 可靠性 实用性
    舒适性 专业性 灵活性 便捷性 兼容性 性 感 率 量 者 类 款 型 级 档 们 等 版 价 期 区 市 省 方向 内容 关注 核实
    情况 细节 结果 效果 表现 状态 程度 范围 要求 目标 时间 地址 电话 官网 渠道商 参考 考虑 考量 考虑点 媒体 社区
    论坛 报告 认证 检测 证书 专利 合规 手机 折叠屏 折叠手机 旗舰 旗舰机 全屋定制 定制家居 装修 装饰公司 装修公司
    衣柜 橱柜 养生茶 茶饮 新能源汽车 轿车 改装 电脑 笔记本 平板 耳机 女性 男性 女生 学生 老人 年轻人 首选 之选 次选
    备选 优先 优选 均衡 为主 偏高 较高 较低 领先 出色 优秀 突出 丰富 完善 成熟 不同 一般 有限 明显 轻薄 便携 折叠
    横向 竖向 内折 外折 生态 协同 办公 商务 游戏 娱乐 日常 支持 适配 优化 升级 迭代 更新 覆盖 布局 模式 理念 文化
    传承 传统 现代 可选 不限 未知 无 以上 以下 左右 之间 一站式 整装 全案 软装 硬装 主材 辅材 五金 水电 增项 预算内
    收费 付款 定金 押金 会员 课程 教练 培训 上门 竞争力 免疫力 吸引力 老年人 成年人 速度 温度 高度 深度 精度 强度
    满意度 舒适度 美誉度 热度 个性化 智能化 数字化 年轻化 标准化 看点 痛点 槽点 优缺点 电动汽车 燃油汽车 智能家居
    全屋家居 体验店 旗舰店 专卖店 连锁店 养生 助眠 祛湿 减脂 清热 体寒 花茶 草茶 子茶 果茶 红茶 绿茶 黑茶 白茶
    乌龙茶 普洱茶 配料表 成分表 参数表
    """
)
"""A Chinese phrase that ends so is no name: its last word says what it is."""

CHINESE_STARTS = _words(
    """
    如何 怎么 为什么 为何 什么 哪 是否 适合 如果 若 假如 对于 关于 根据 针对 基于 按照 通过 由于 因为 所以 但 不过
    然而 此外 另外 同时 其他 其它 其中 其次 首先 最后 最终 最 更 较 很 非常 注意 建议 推荐 选择 选购 购买 考虑 关注
    了解 查看 查询 确认 明确 确定 核查 核实 对比 比较 参考 联系 咨询 实地 追求 注重 看重 重视 偏好 喜欢 需要 希望
    预算 价格 总结 综合 整体 总体 主要 核心 关键 重要 部分 多数 少数 一些 某 每 各 全部 所有 任何 少 没 不 未 应 请
    将 已 曾 正在 例如 比如 包括 以及 并 或 且 及 与 在 由 被 把 让 第 作为 提供 采用 支持 具备 拥有 主打 定位 优点
    缺点 优势 劣势 亮点 特点 温馨 该 这 那 您 你 我们 他 她 它 用户 消费者 客户 市场 行业 品牌 产品 高端 中端 低端
    入门 性价比 国内 国产 国际 全国 本地 区域 大型 小型 中小 知名 专业 新兴 传统 老牌 头部 线上 线下 是 做好 日常
    长期 短期 定期 避免 警惕 谨慎 务必 尽量 优先 备选 首选 次选 一线 二线 三线 口碑 案例 类别 方案 选项 类型 步骤
    情况 设计 施工 环保 服务 技术 质量 材料 功能 影像 拍照 屏幕 续航 可以 可能 可选 可靠 多种 多样 有些 有限 有一
    有无 无需 无法 无论 本次 本土 当前 用于 用料 如有 如您 如需 以下 以上 能够 能否 会员 会有 做工 要求 要点 看看
    为您 为了 给您 从业 想要 理性 科学
    """
)
"""A Chinese phrase that begins so is no name: it asks, orders, or describes."""

MAKER_ENDS = _words(
    """
    科技 集团 股份 实业 电器 电子 电气 软件 地图 装饰 家居 茶业 药业 食品 乳业 酒业 饮料 医药 生物 健康 汽车 动力
    能源 传媒 互动 网络 云 银行 保险 证券 家具 建材 陶瓷 卫浴 地板 门窗 照明 服饰 鞋业 商城 优选 严选 森林 工坊 学院
    """
)
"""What names of makers end with, so that ordinary words before it make a name (石头科技, 元气森林)."""

CHINESE_INSIDE = _words(
    """
    的 了 吗 呢 吧 啊 您 你 们 哪 怎 么 这 那 该 及 与 或 若 其 需 请 各 些 种 以及 比如 例如 可以 能够 应该 建议
    推荐 选择 适合 因此 价格 预算 性价比 优势 左右 第一 第二 第三 名称 品牌 用户 需求 是否 如何 不同 具体 实际 相关
    方面 体验 信息 情况 口碑 评价 售后 质量 真实 官方 竞品 对比 不错 更好 一定 通常 可能 进行 需要 根据 靠谱
    """
)
"""A Chinese phrase of more than two characters that holds one of these is no name."""

LATIN_TERMS = frozenset(
    _words(
        """
    ai ar vr xr mr it ui ux cpu gpu npu soc ram rom ssd hdd usb usb-c type-c typec hdmi nfc gps wifi wi-fi wi
    bluetooth oled amoled lcd led qled miniled ltpo ips hdr hdr10 dolby vision atmos fps hz ppi nits nit mah wh kwh
    kw w v a mm cm m km kg g mb gb tb mp k 4k 8k 2k 1080p 720p 5g 4g 3g lte 6e ip68 ip67 ipx8 ipx4 ip54 ois eis
    ai-powered app apps ios android api sdk poi isp lbs bim cad xmage saas paas crm erp gis seo sem geo aeo llm nlp
    kpi roi b2b b2c c2b o2o diy suv mpv ev evs phev hev bev reev nedc cltc wltp epa abs esp adas noa l2 l3 enf e0 e1
    e2 f4 carb iso ce fcc rohs gb/t ccc hepa cadr anc tws codec aac ldac pc pcs laptop tv tvs cd dvd id vip pdf ppt
    csv xml json html css url http https www com cn qa faq ok vs no top pro max ultra plus mini lite se fe gt oem
    odm sku apr apy atm fdic us usa uk eu un nba fiba ncaa gdp ceo cto cfo hr mba rgb srgb dci p3 dpi ppm psi btu
    seer nm lb oz ft in sq qt db dba rpm bpa ptfe pfoa pfas spf uv uva uvb aha bha dna rna ph vitamin cbd fda ada
    nsf energystar star moba lv ww mini-led full-hd uhd fhd qhd wqhd rtx gtx ddr4 ddr5 lpddr lpddr5 lpddr5x ufs pcie
    nvme thunderbolt lightning macos linux windows fold flip true false null none yes brand rank sentiment q b c d e
    f h i j l n o p r s t u x y z ii iii iv zh en cny rmb usd eur gbp rating ratings open closed gym
    """
    )
)
"""Latin words of technology, units and forms, as they stand in Chinese and English answers; lower case."""

ENGLISH = frozenset(
    _words(
        """
    a an the this that these those it its it's they them their there here he she his her we our you your i i'm i'll
    my me us who whom whose which what when where why how if then else than as at by for from in into of off on onto
    out over to up down with within without about above across after against along among around before behind below
    beneath beside besides between beyond despite during except inside like near outside per plus since through
    throughout toward towards under until upon via and or but nor so yet not no yes all any both each either every
    few many more most much neither none one two three four five six seven eight nine ten first second third next
    last other others another some several such same own only just also too very even still already again ever never
    always often usually sometimes generally typically finally additionally however therefore moreover furthermore
    meanwhile instead overall ultimately alternatively consequently specifically especially particularly note notes
    tip tips pro pros con cons key top best better good great excellent ideal perfect popular premium budget
    affordable cheap inexpensive expensive high low mid entry level range price prices pricing cost costs value
    quality performance feature features design designs comfort comfortable durable durability lightweight weight
    size sizes fit style styles color colors battery life screen display camera sound audio speed power storage
    memory capacity warranty support customer service services review reviews rating ratings user users expert
    experts option options choice choices pick picks recommendation recommendations recommended consider
    considerations considering factor factors thing things look looking looks find finding choose choosing check
    compare comparison decide determine ensure keep make makes making get getting go going give gives given buy
    buying shop shopping store stores retailer retailers online website websites product products brand brands model
    models type types category categories version item items list lists use uses used using need needs want wants
    offer offers offering provide provides known designed made built based available include includes including
    included help helps conclusion summary overview introduction final verdict disclaimer important information
    details specific personal individual preferences preference here's there's let's that's what's you're they're
    we're don't doesn't isn't can't won't while although though because unless whether whenever wherever can could
    may might must shall should will would do does did done has have had having be been being is are was were am new
    old big small large long short wide narrow full free easy simple quick fast slow hard soft light heavy dark
    bright clean dry wet hot cold warm cool smart sturdy versatile reliable efficient effective powerful advanced
    basic standard classic modern traditional professional beginner beginners intermediate serious casual daily
    everyday home house kitchen garage basement room office travel outdoor indoor court basketball running runner
    runners shoes shoe jacket ski skiing skin acne mattress pan pans nonstick blender blenders printer printers
    laptop laptops phone phones guitar guitars luggage suitcase suitcases vacuum vacuums toothbrush headphones
    earbuds watch watches card cards fee annual credit rewards network mesh router system systems dehumidifier
    humidifier fryer espresso machine coffee streaming movies movie game games party players player board security
    cameras women women's men men's kids swimwear swimsuits swimsuit clothing apparel plan plans senior seniors
    discount discounts cell mobile unlimited data pet dog cat food water air side sleeper sleepers sleeping queen
    king twin foam hybrid spring pressure relief firm firmness medium electric electrical wireless cordless stick
    handheld massage gun percussion tv inch queen-size carry-on carry racing race training trail road max mini ultra
    lite edition series generation gen set kit pack bundle january february march april june july august september
    october november december jan feb mar apr jun jul aug sep sept oct nov dec monday tuesday wednesday thursday
    friday saturday sunday today tomorrow yesterday year years month months week weeks day days hour hours minute
    minutes pm summer fall autumn winter american chinese japanese korean european german french italian english
    british western asian america china japan korea europe germany france italy canada australia india mexico states
    united kingdom california texas florida york beijing shanghai shenzhen north south east west northern southern
    eastern virginia city county state national international global local world worldwide customers people person
    someone anyone everyone read see view show shows learn visit try ask contact click sign shipping delivery return
    returns policy trial sale sales deal deals save savings approximately approx less least maximum minimum total
    remember post explained selection selections friendly eco-friendly budget-friendly consult ease where's
    runner-up runners-up honorable mention mentions winner bonus alternative alternatives additional extra unique
    wide-range material materials construction build core area areas space spaces surface temperature control
    controls settings setting mode modes function functions functionality technology tech smooth smoothies ice
    crushing dishwasher safe ceramic stainless steel cast iron aluminum copper leather rubber composite wood wooden
    solid synthetic polyester nylon cotton wool insulation waterproof breathable oil-free non-comedogenic gentle
    hydrating moisturizer moisturizers gel cream lotion serum acid salicylic hyaluronic niacinamide ceramides
    retinol benzoyl peroxide ingredients ingredient sensitive oily combination noise cancelling cancellation active
    true bass ear microphone calls transparency waterproofing resistance resistant sweat range-extender coverage
    ethernet port ports bandwidth speeds dual tri band tri-band dual-band whole whole-home setup installation
    install app apps saving table tables simplicity stylish trendy fashion forward luxury organic natural herbal
    zone signature bedding rated tier tiers touch trusted extended flexible adjustable compact stable balanced
    consistent accurate complete deep rich clear crisp energy saver money family friends group groups health care
    fitness body face hair foot feet hand hands heart sleep back stomach
    """
    )
)
"""English words that make no name by themselves; lower case."""

ENGLISH_ENDS = frozenset(
    _words(
        """
    options option choices choice considerations consideration features feature factors factor tips tip notes note
    picks pick recommendations recommendation needs need preferences preference reviews review pros cons benefits
    benefit advantages disadvantages drawbacks summary conclusion overview verdict thoughts details information
    performance quality comfort durability design value budget price pricing cost costs size weight battery capacity
    warranty support service services technology material materials construction system systems users user sleepers
    runners players beginners seniors women men kids websites retailers stores brands models types alternatives
    mentions comparison list questions answers steps results settings life time use display screen camera cameras
    control capabilities functionality compatibility versatility portability convenience efficiency coverage steel
    relief shipping trial policy cancellation resistance protection storage noise speed power
    """
    )
)
"""An English phrase in capitals that ends so is a label."""
