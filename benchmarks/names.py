"""The lexicon that cleaning is measured with: 200 names of well-known brands, as the answers of the pool name them."""

from __future__ import annotations

from types import MappingProxyType

_LINES = """
华为|HUAWEI|华为手机
荣耀|HONOR|荣耀手机
小米|Xiaomi|小米手机
红米|Redmi|REDMI
真我|realme|真我手机
一加|OnePlus|一加手机
OPPO|欧珀|OPPO手机
vivo|维沃|vivo手机
iQOO|爱酷|iQOO手机
苹果|Apple|iPhone|苹果手机
三星|Samsung|三星手机|Galaxy
魅族|Meizu|魅族手机
努比亚|nubia|努比亚手机
摩托罗拉|Motorola|moto
联想|Lenovo|ThinkPad
中兴|ZTE|中兴手机
传音|TECNO|Infinix
欧派|OPPEIN|欧派家居|欧派全屋定制
索菲亚|SOGAL|索菲亚家居
志邦|ZBOM|志邦家居|志邦全屋定制
尚品宅配|Shangpin|尚品
好莱客|Holike
金牌厨柜|GoldenHome|金牌家居|金牌定制
维意定制|Weiyi|维意
玛格|MACIO|玛格定制
顶固|Topstrong
皮阿诺|PIANO
我乐|OLO|我乐家居
博洛尼|Boloni
司米|Schmidt
百得胜|Paterson
诗尼曼|Snimay
卡诺亚|Knoya
莫干山|莫干山家居
兔宝宝|TUBAO
比亚迪|BYD
特斯拉|Tesla|Model Y
小鹏|XPENG|小鹏汽车
蔚来|NIO|蔚来汽车
理想|Li Auto|理想汽车
零跑|Leapmotor
埃安|AION|广汽埃安
深蓝|Deepal
问界|AITO
极氪|ZEEKR
吉利|Geely
长安|Changan
大众|Volkswagen
丰田|Toyota
本田|Honda
同仁堂|北京同仁堂
元若曦|元若曦养生茶
东阿阿胶|阿胶
胡庆余堂|庆余堂
八马|八马茶业
立顿|Lipton
东易日盛|东易日盛装饰
业之峰|业之峰装饰
生活家|生活家装饰
龙发装饰|龙发
爱空间|爱空间装饰
Sony|索尼
Bose
JBL
Anker|Soundcore
Sennheiser|森海塞尔
Audio-Technica|铁三角
LG
TP-Link|Deco
ASUS|华硕
Netgear|Orbi
Google Nest|Nest
Dell|戴尔
Ninja|Foodi
Breville
Vitamix
Philips|飞利浦
Cuisinart
All-Clad
GreenPan
Tramontina
Caraway
Le Creuset
OXO
T-fal
Nike|耐克
Adidas|阿迪达斯
New Balance
Saucony
Columbia
Patagonia
"""


def _table() -> dict[str, tuple[str, ...]]:
    """Return the names by brand."""
    rows = [line.split("|") for line in _LINES.strip().splitlines()]
    return {names[0]: tuple(names) for names in rows}


BRANDS = MappingProxyType(_table())
"""Brand to all its names; 200 names in all."""
