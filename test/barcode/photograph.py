"""A picture as in a photo: turned, in perspective, blurred, grey."""
from PIL import Image, ImageFilter


def photograph(picture):
    side = picture.width
    page = Image.new("L", (2 * side, 2 * side), 235)
    page.paste(picture.point(lambda tone: 40 + tone * 190 // 255), (side // 2, side // 2))
    turned = page.rotate(17, Image.Resampling.BICUBIC, fillcolor=235)
    tilted = turned.transform(
        turned.size,
        Image.Transform.PERSPECTIVE,
        (1.0, 0.06, 0, 0.04, 1.0, 0, 0.06 / side, 0.04 / side),
        Image.Resampling.BICUBIC,
        fillcolor=235,
    )
    return tilted.filter(ImageFilter.GaussianBlur(1.2))
